function html(title: string, body: string, links: string[] = []): string {
  const list = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join('')
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}<ul>${list}</ul></main></body></html>`
}

const setting = (name: string, text: string) =>
  html(
    name,
    `<p>The setting <code>${name}</code> of a widget ${text}</p><pre><code class="language-sh">widget set ${name}</code></pre>`,
  )

/** A small documentation with three settings and a guide. */
export const WIDGET_PAGES = {
  '/': html('Widgets', '<p>A widget is a small machine that bends spoons.</p>', [
    '/settings/oil_interval',
    '/settings/gear_limit',
    '/settings/spoon_angle',
    '/guides/oiling',
  ]),
  '/settings/oil_interval': setting('oil_interval', 'says after how many days it must be oiled. The default is 180.'),
  '/settings/gear_limit': setting('gear_limit', 'bounds the speed of its gears. The default is 12.'),
  '/settings/spoon_angle': setting('spoon_angle', 'is the angle to which a spoon is bent. The default is 90.'),
  '/guides/oiling': html('Oiling widgets', '<p>Oil every widget twice a year with fine oil.</p>'),
}

/** A request that the site can answer. */
export const SETTING_PROMPT = 'Look up a setting of widgets by its name and explain what it does, with its default.'

/** The objects of a stream, one per line. */
export function linesOf(text: string): any[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
