/**
 * The URL of a package of this folder. Throws if it is not installed.
 *
 * @param {string} name
 */
export const resolvePackage = (name) => import.meta.resolve(name)
