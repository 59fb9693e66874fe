/** An error that users can fix: only its sentence is printed. */
export class LaunchError extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/**
 * Prints the start and the end of a step on stderr, because stdout belongs to the program. Steps can overlap.
 *
 * @template T
 * @param {string} step such as "Installing the dependencies"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function sayStep(step, work) {
  const started = performance.now()
  process.stderr.write(`docent: ${step} …\n`)
  try {
    const result = await work()
    process.stderr.write(`docent: ${step}: done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
    return result
  } catch (error) {
    process.stderr.write(`docent: ${step}: failed\n`)
    throw error
  }
}
