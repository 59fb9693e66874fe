import { join } from 'node:path'
import type { UserFolders } from '@docent/server/config.ts'
import { SYSTEM } from '@docent/server/lib/operating-system.ts'

/** The configuration file of a client for all projects of the user, or null if none is known. */
export function configPath(
  client: string,
  { home, config }: UserFolders,
  platform: NodeJS.Platform = SYSTEM,
): string | null {
  const isWindows = platform === 'win32'
  const code = platform === 'darwin' ? join(home, 'Library', 'Application Support', 'Code') : join(config, 'Code')
  const onWindows = isWindows ? config : join(home, '.config')
  const paths: Readonly<Record<string, string>> = {
    'claude-code': join(home, '.claude.json'),
    cursor: join(home, '.cursor', 'mcp.json'),
    vscode: join(code, 'User', 'mcp.json'),
    codex: join(home, '.codex', 'config.toml'),
    'gemini-cli': join(home, '.gemini', 'settings.json'),
    zed: join(platform === 'linux' ? config : onWindows, isWindows ? 'Zed' : 'zed', 'settings.json'),
    cline: join(code, 'User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'),
    'copilot-cli': join(home, '.copilot', 'mcp-config.json'),
    goose: isWindows
      ? join(config, 'Block', 'goose', 'config', 'config.yaml')
      : join(platform === 'linux' ? config : onWindows, 'goose', 'config.yaml'),
    'lm-studio': join(home, '.lmstudio', 'mcp.json'),
    devin: join(platform === 'linux' ? config : onWindows, 'devin', 'mcp_config.json'),
    windsurf: join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    opencode: join(platform === 'linux' ? config : join(home, '.config'), 'opencode', 'opencode.json'),
  }
  return paths[client] ?? null
}
