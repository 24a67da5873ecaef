import { setTimeout as sleep } from 'node:timers/promises'
import { SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import type { Page } from 'playwright-core'
import { startCms } from '../../lib/cms.ts'
import { connectOllama, startFakeOllama } from '../../lib/fake-ollama.ts'
import { launchChromium } from '../../lib/launch-chromium.ts'

const TOKENS_PER_SECOND = 200
const SECONDS = 8
/** A frame that takes longer than two is a dropped one. */
const DROPPED_MS = 34

/** Whether the panel keeps up with a quick model: frames of the page while it streams, beside those of the page at rest. */
export const run = async (): Promise<void> => {
  const ollama = await startFakeOllama()
  const service = await startCms()
  const browser = await launchChromium()
  try {
    const admin = await service.person('admin')
    await connectOllama(admin.client, ollama)
    ollama.model(() => ({ text: tokens() }))
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addCookies([{ name: SESSION_COOKIE, value: admin.token, url: service.url }])
    const page = await context.newPage()
    await page.goto(`${service.url}/admin/`)
    await page.getByRole('button', { name: 'Assistant' }).click()
    const message = page.getByLabel('Message', { exact: true })
    await message.fill('Tell me everything')
    const rest = await framesOf(page, 3_000)
    await page.keyboard.press('Enter')
    await page.getByText('word0').waitFor()
    const streaming = await framesOf(page, (SECONDS - 1) * 1_000)
    report('at rest', rest)
    report(`at ${TOKENS_PER_SECOND} tokens a second`, streaming)
  } finally {
    await browser.close()
    await service.close()
    await ollama.close()
  }
}

/** Paragraphs and lists, as models write them, each token in its time. */
const tokens = (): (string | Promise<unknown>)[] =>
  Array.from({ length: TOKENS_PER_SECOND * SECONDS }, (_, at) => [
    at % 40 === 39 ? '\n\n' : at % 60 === 0 ? `\n- **word${at}** ` : `word${at} `,
    sleep(((at + 1) * 1_000) / TOKENS_PER_SECOND),
  ]).flat()

/** How long each frame took, for so long. */
const framesOf = (page: Page, ms: number): Promise<number[]> =>
  page.evaluate(
    (limit) =>
      new Promise<number[]>((resolve) => {
        const times: number[] = []
        const began = performance.now()
        let last = began
        const next = (now: number) => {
          times.push(now - last)
          last = now
          if (now - began > limit) resolve(times.slice(1))
          else requestAnimationFrame(next)
        }
        requestAnimationFrame(next)
      }),
    ms,
  )

const report = (when: string, times: readonly number[]): void => {
  const dropped = times.filter((time) => time > DROPPED_MS).length
  const longest = Math.max(...times)
  process.stdout.write(
    `assistant-panel: ${when}: ${times.length} frames, ${dropped} dropped (over ${DROPPED_MS} ms), the longest ${longest.toFixed(0)} ms\n`,
  )
}
