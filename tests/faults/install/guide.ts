import { readFileSync } from 'node:fs'

/** Commands of the guide that are typed together. */
export type Step = {
  /** The heading that they stand below. */
  readonly title: string
  /** They fetch something from the internet. */
  readonly isOnline: boolean
  readonly commands: string
}

const GUIDE = new URL('../../../docs/install.md', import.meta.url)

/** The commands of docs/install.md in their order, word for word. */
export const readGuide = (text = readFileSync(GUIDE, 'utf8')): Step[] =>
  text.split(/^## /m).flatMap((section) => {
    const title = section.split('\n')[0] ?? ''
    return [...section.matchAll(/^```sh install( online)?\n(.*?)^```$/gms)].map(([, online, commands = '']) => ({
      title,
      isOnline: online !== undefined,
      commands,
    }))
  })
