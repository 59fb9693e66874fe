import { render } from 'preact'
import './styles/fonts.css'
import './styles/base.css'
import { readEarly } from './api/early.ts'
import { App } from './app.tsx'
import { followLinks } from './lib/router.ts'
import { applyTheme } from './lib/theme.ts'
import { preloadScreen } from './screens.tsx'

/**
 * The first paint waits this long at most for the screen and its data, so that the browser draws them at once. Without
 * them, the frame is there within 100 ms.
 */
const PATIENCE_MS = 60

applyTheme()
followLinks()
void start()

async function start(): Promise<void> {
  const everything = Promise.all([preloadScreen(location.pathname), readEarly()])
  await Promise.race([everything, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  render(<App />, document.body)
}
