import { readSetting } from '@docent/contract/values/setting-texts'
import type { Handler } from '../operation.ts'
import { admitPage } from './admit-page.ts'
import { widgetTools } from './widget-tools.ts'

export const getEmbedConfiguration: Handler<'embed.configuration'> = async ({ visitor, configuration }) => {
  admitPage(visitor, configuration)
  const { layout, fontFamily, colors } = configuration
  return { layout, fontFamily, colors: readSetting('colors', colors), tools: widgetTools(configuration) }
}
