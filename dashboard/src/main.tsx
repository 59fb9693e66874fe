import { render } from 'preact'
import './styles/fonts.css'
import './styles/base.css'
import { App } from './app.tsx'
import { followLinks } from './lib/router.ts'
import { applyTheme } from './lib/theme.ts'
import { preloadScreen } from './screens.tsx'

applyTheme()
preloadScreen(location.pathname)
followLinks()
render(<App />, document.body)
