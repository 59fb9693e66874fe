/**
 * A predicate for paths that a .dockerignore keeps out of the build. The last pattern that matches the path or a folder
 * above it decides (https://docs.docker.com/build/concepts/context/#dockerignore-files).
 */
export function readIgnored(text: string): (path: string) => boolean {
  const patterns = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isException: line.startsWith('!'), expression: toExpression(line.replace(/^!/, '')) }))
  return (path) => {
    const parts = path.split('/')
    const folders = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
    let isIgnored = false
    for (const { isException, expression } of patterns)
      if (folders.some((folder) => expression.test(folder))) isIgnored = !isException
    return isIgnored
  }
}

/** `*` stands for a part of a name, also of one that begins with a dot, and `**` for any number of folders. */
function toExpression(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?')
  return new RegExp(`^${source}$`)
}
