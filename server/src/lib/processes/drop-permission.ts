/** Permanently drops a permission of this process. Throws if this Node cannot (`canDropPermissions`). */
export function dropPermission(scope: 'fs.write' | 'worker'): void {
  // Newer than our Node types.
  const { drop } = (process.permission ?? {}) as { drop?: (scope: string) => void }
  if (!drop) throw new Error(`A process for reading cannot give back its permission: ${scope}.`)
  drop(scope)
}

/** True if this version of Node can drop permissions: 24 from 24.21 on, and 26 in its maintained releases. */
export function canDropPermissions(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === 24 ? minor >= 21 : major > 26
}
