/** The first Node that runs TypeScript without a flag or a warning and has a stable SQLite. */
const MINIMUM = { major: 24, minor: 12 }

export const neededVersion = `${MINIMUM.major}.${MINIMUM.minor}`

/** @param {string} version such as "24.12.0" */
export function isRecent(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > MINIMUM.major || (major === MINIMUM.major && minor >= MINIMUM.minor)
}
