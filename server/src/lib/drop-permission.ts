/** Gives a permission of this process back for good. Throws where its Node cannot (`canDropPermissions`). */
export function dropPermission(scope: 'fs.write' | 'worker'): void {
  // Newer than the types of Node that we have.
  const { drop } = (process.permission ?? {}) as { drop?: (scope: string) => void }
  if (!drop) throw new Error(`A process for reading cannot give back its permission: ${scope}.`)
  drop(scope)
}

/** Whether processes of this version of Node can: 24 from 24.21 on, and 26 as it is maintained. */
export function canDropPermissions(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === 24 ? minor >= 21 : major > 26
}
