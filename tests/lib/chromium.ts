import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The browser to test with: CHROME_PATH, then the usual names on the PATH. */
export const findChromium = (): string | undefined => {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [process.env.CHROME_PATH, ...candidates].find((path) => path && isExecutable(path))
}

/** A browser for scripts such as the screenshot maker; the caller closes it. */
export const launchChromium = (): Promise<Browser> => {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium found: install one or set CHROME_PATH')
  return chromium.launch({ executablePath, headless: true, args: FLAGS })
}

// No sandbox: tests run as root in containers. The rest keeps Chromium from calling home.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
