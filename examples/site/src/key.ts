import { randomInt } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The delivery key of this website: drawn at the first start, then kept in a file that only its owner can read. */
export const siteKey = (folder: string): string => {
  const file = join(folder, 'example-site.key')
  const drawn = `cms_${Array.from({ length: 43 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`
  try {
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(file, `${drawn}\n`, { flag: 'wx', mode: 0o600 })
    return drawn
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return fs.readFileSync(file, 'utf8').trim()
  }
}
