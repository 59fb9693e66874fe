/** `/guide/getting-started.md` → `getting-started`. */
export function lastSegment(url: string): string {
  const path = URL.parse(url)?.pathname ?? url
  return decodeURI(path.split('/').findLast((part) => part !== '') ?? path).replace(/\.\w{1,8}$/, '')
}
