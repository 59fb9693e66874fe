import type { Handler } from '../operation.ts'
import { presentCustomTool } from './present.ts'

export const getCustomTool: Handler<'customTools.get'> = async ({ customTool }) => presentCustomTool(customTool)
