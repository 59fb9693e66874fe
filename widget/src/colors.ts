/** Variables of the style by the names of a configuration's colors. */
const VARIABLES: Record<string, string> = {
  primary: '--docent-primary-light',
  background: '--docent-background-light',
  text: '--docent-text-light',
  darkPrimary: '--docent-primary-dark',
  darkBackground: '--docent-background-dark',
  darkText: '--docent-text-dark',
}

/** Sets the colors of the configuration. Names that the widget does not know, and values that the browser does not, are left out. */
export function setColors(host: HTMLElement, colors: Readonly<Record<string, string>>): void {
  for (const [name, color] of Object.entries(colors)) {
    const variable = Object.hasOwn(VARIABLES, name) ? VARIABLES[name] : undefined
    if (variable && CSS.supports('color', color)) host.style.setProperty(variable, color)
  }
}

/** Black or white for text on the background of an element, whichever has more contrast (WCAG 2, relative luminance). */
export function inkOn(button: HTMLElement): '#fff' | '#000' {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d')
  if (!context) return '#fff'
  context.fillStyle = getComputedStyle(button).backgroundColor
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#000' : '#fff'
}

/** The scheme of a page that declares none: dark if its background is. Null for a page that declares one. */
export function pageScheme(): 'light' | 'dark' | null {
  const isDeclared = document.querySelector('meta[name="color-scheme"]') !== null
  if (isDeclared || getComputedStyle(document.documentElement).colorScheme !== 'normal') return null
  const painted = [document.body, document.documentElement].find(
    (one) => !/^(?:transparent|rgba\(.*, 0\))$/.test(getComputedStyle(one).backgroundColor),
  )
  return painted && inkOn(painted) === '#fff' ? 'dark' : 'light'
}
