import { findProgram, isExecutable } from './programs.ts'

/** The shell draws no window of its own: tests take a fifth less time in it. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]

/** The browser to test with: CHROME_PATH, which must be right when it is set, else the usual names on the PATH. */
export const findChromium = (env: NodeJS.ProcessEnv = process.env): string | undefined => {
  if (env.CHROME_PATH) {
    if (isExecutable(env.CHROME_PATH)) return env.CHROME_PATH
    throw new Error(`CHROME_PATH is ${env.CHROME_PATH}, which is not a program`)
  }
  return findProgram(NAMES, env)
}

/** Why tests in a browser are left out: never in CI, where a missing browser must not look like a passed test. */
export const missingBrowser = (): string | false =>
  findChromium() || process.env.CI ? false : 'no Chromium: install one or set CHROME_PATH'
