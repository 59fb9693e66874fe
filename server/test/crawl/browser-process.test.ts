import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { BrowserError } from '#net/browser/protocol.ts'
import { startChromium } from '#net/browser/chromium.ts'
import { openRenderer, type PageRenderer } from '#net/browser/open-renderer.ts'
import { installedBrowser } from '../support/lib/installed-browser.ts'

const program = installedBrowser()
const hasProc = existsSync('/proc/self/stat')

/** Running processes of a group, without zombies. */
function running(group: number): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const [state, , pgrp] = statOf(pid)
      return pgrp === String(group) && state !== 'Z'
    }).length
}

/** State, parent and group. A process may exit between being listed and being read. */
function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}

async function untilGone(group: number): Promise<void> {
  while (running(group) > 0) await sleep(50)
}

const profilesOf = (pid: number) => readdirSync(tmpdir()).filter((name) => name.startsWith(`docent-browser-${pid}-`))

const answering = (html: string) => ({
  async fetch(url: string) {
    const headers = { 'content-type': 'text/html' }
    const bytes = new TextEncoder().encode(html)
    return { url, status: 200, headers, bytes }
  },
})
const never = new AbortController().signal

afterEach(() => vi.unstubAllEnvs())

describe.skipIf(program === null || !hasProc)('browser', () => {
  /** Starting a browser takes longer than most tests. */
  let renderer: PageRenderer
  beforeAll(() => {
    renderer = openRenderer({ program: program ?? '', userAgent: 'docent-test', pages: 2, busyMs: 1_500 })
    return () => renderer[Symbol.asyncDispose]()
  })

  test('closes a page that takes too much memory and renders the one beside it', async () => {
    const hungry = `<!doctype html><body><script>
      const kept = []
      // The text changes, so that the page is not read before it is full.
      const fill = () => {
        for (let n = 0; n < 20; n++) kept.push(new Uint8Array(1 << 20).fill(1))
        document.body.append('.')
        setTimeout(fill, 20)
      }
      fill()
    </script>`
    const honest = '<!doctype html><body><script>setTimeout(() => document.body.append("honest words"), 1500)</script>'
    const [failed, shown] = await Promise.allSettled([
      renderer.render('http://hungry.test/', answering(hungry), never),
      renderer.render('http://honest.test/', answering(honest), never),
    ])
    expect(failed).toMatchObject({ status: 'rejected', reason: { reason: 'too_large' } })
    expect(shown).toMatchObject({ status: 'fulfilled', value: { html: expect.stringContaining('honest words') } })
  })

  test('exits with a killed service even while a page keeps it busy', async () => {
    const script = join(import.meta.dirname, '../support/processes/render-endless.ts')
    // A browser that another test starts now would delete the profile folder too.
    const folder = mkdtempSync(join(tmpdir(), 'docent-test-'))
    vi.stubEnv('TMPDIR', folder)
    const child = spawn(process.execPath, [script, program ?? ''], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    const group = Number(said)
    expect(running(group)).toBeGreaterThan(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await untilGone(group)
    // The next browser start deletes the folder that the killed service left behind.
    expect(profilesOf(child.pid ?? 0)).toHaveLength(1)
    {
      await using _ = await startChromium({ program: program ?? '', userAgent: 'docent-test' })
      expect(profilesOf(child.pid ?? 0)).toEqual([])
    }
    rmSync(folder, { recursive: true })
  })

  test('ends all its processes and deletes its folder when it is closed', async () => {
    const before = profilesOf(process.pid)
    const chromium = await startChromium({ program: program ?? '', userAgent: 'docent-test' })
    expect(profilesOf(process.pid)).toHaveLength(before.length + 1)
    expect(running(chromium.pid)).toBeGreaterThan(1)
    await chromium[Symbol.asyncDispose]()
    await untilGone(chromium.pid)
    expect(await chromium.send('Browser.getVersion').catch((error: unknown) => error)).toBeInstanceOf(BrowserError)
    expect(profilesOf(process.pid)).toEqual(before)
  })

  test('caps the memory of a page and renders the next one', async () => {
    const greedy = `<body><script>
      const kept = []
      for (let i = 0; i < 4000; i++) kept.push(new Uint8Array(1 << 20).fill(1))
      document.body.textContent = 'It took four gigabytes.'</script>`
    const html = await renderer.render('http://a.test/', answering(greedy), never).then(
      (shown) => shown.html,
      (error: unknown) => String(error),
    )
    expect(html).not.toContain('It took four gigabytes.</body>')
    const fine = '<body><script>document.body.textContent = 6 * 7</script>'
    expect((await renderer.render('http://a.test/', answering(fine), never)).html).toContain('<body>42</body>')
  })

  test('explains how to get a sandbox when there is none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docent-test-'))
    try {
      const program = join(folder, 'browser')
      writeFileSync(program, '#!/bin/sh\necho "FATAL: No usable sandbox! Update your kernel" >&2\nexit 1\n', {
        mode: 0o755,
      })
      const error = await startChromium({ program, userAgent: 'Test' }).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(BrowserError)
      expect(error).toMatchObject({
        reason: 'start',
        message: expect.stringMatching(/could not be started\. It has no sandbox here, .*user namespaces/),
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('reads the shadow DOM of components', async () => {
    const html = `<doc-card>slotted</doc-card><script>customElements.define('doc-card', class extends HTMLElement {
      connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<h2>Shade</h2><slot></slot>' } })</script>`
    expect((await renderer.render('http://a.test/', answering(html), never)).html).toContain(
      '<doc-card><h2>Shade</h2>slotted</doc-card>',
    )
  })

  test('abandons a page whose scripts never pause', async () => {
    const endless = renderer.render('http://a.test/', answering('<script>for (;;) {}</script>'), never)
    await expect(endless).rejects.toThrow('Its scripts ran for more than 1.5 s without a pause.')
    expect((await renderer.render('http://a.test/', answering('<p>next</p>'), never)).html).toContain('next')
  })

  test('stops rendering for a caller that aborts, before or during its turn', async () => {
    await using renderer = openRenderer({ program: program ?? '', userAgent: 'docent-test', pages: 1 })
    const stop = new AbortController()
    const endless = answering('<script>for (;;) {}</script>')
    const first = renderer.render('http://a.test/', endless, stop.signal)
    const second = renderer.render('http://a.test/', endless, stop.signal)
    stop.abort(new Error('given up'))
    await expect(Promise.allSettled([first, second])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ])
    expect((await renderer.render('http://a.test/', answering('<p>next</p>'), never)).html).toContain('next')
  })
})
