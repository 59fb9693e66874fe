/** The part of a URL that says what a page is about: `https://x.dev/docs/guide/use-proxy.html?a=1` → `docs/guide/use-proxy`. */
export function pathWords(url: string): string {
  const path = (URL.parse(url)?.pathname ?? '').replace(/\/(?:index)?(?:\.\w{1,5})?$/, '').replace(/\.[a-z]{1,5}$/i, '')
  try {
    return decodeURIComponent(path)
  } catch {
    // A percent sign that encodes nothing: the words around it are still words.
    return path
  }
}
