/** The descriptive part of a URL: `https://x.dev/docs/guide/use-proxy.html?a=1` → `docs/guide/use-proxy`. */
export function pathWords(url: string): string {
  const path = (URL.parse(url)?.pathname ?? '').replace(/\/(?:index)?(?:\.\w{1,5})?$/, '').replace(/\.[a-z]{1,5}$/i, '')
  try {
    return decodeURIComponent(path)
  } catch {
    // An invalid percent escape does not affect the words around it.
    return path
  }
}
