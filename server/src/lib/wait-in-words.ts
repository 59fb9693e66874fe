/** `40 seconds`, `12 minutes`, `3 hours`. Rounds up. */
export function waitInWords(seconds: number): string {
  const [count, unit] =
    seconds < 100 ? [seconds, 'second'] : seconds < 6_000 ? [seconds / 60, 'minute'] : [seconds / 3_600, 'hour']
  const whole = Math.ceil(count)
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
