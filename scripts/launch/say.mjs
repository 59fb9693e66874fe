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
 * Prints a step on one line of stderr while it runs, because stdout belongs to the program.
 *
 * @template T
 * @param {string} step such as "Installing the dependencies"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function sayStep(step, work) {
  const started = performance.now()
  process.stderr.write(`docent: ${step} … `)
  try {
    const result = await work()
    process.stderr.write(`done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
    return result
  } catch (error) {
    process.stderr.write('failed\n')
    throw error
  }
}
