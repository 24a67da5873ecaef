import { type Browser, chromium } from 'playwright-core'
import { findChromium } from './chromium.ts'

// No sandbox: tests run as root in containers. The rest keeps Chromium from calling home.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-zygote',
  '--process-per-site',
  '--disable-extensions',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages live for seconds: to optimize their code costs more than it saves, as does clearing up after every few megabytes.
  '--js-flags=--no-opt --no-maglev --min-semi-space-size=32',
]

/** A browser for the tests and for scripts such as the screenshot maker; the caller closes it. */
export const launchChromium = (): Promise<Browser> => {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium found: install one or set CHROME_PATH')
  return chromium.launch({ executablePath, headless: true, args: FLAGS })
}
