import type { Tone } from '../../src/display/badge.tsx'

export type Entry = {
  id: string
  title: string
  status: 'draft' | 'live' | 'scheduled' | 'failed'
  type: string
  author: string
  words: number
  updatedAt: string
}

export const statusTones: Record<Entry['status'], { tone: Tone; label: string }> = {
  draft: { tone: 'draft', label: 'Draft' },
  live: { tone: 'live', label: 'Live' },
  scheduled: { tone: 'scheduled', label: 'Scheduled' },
  failed: { tone: 'failed', label: 'Failed' },
}

const HOUR = 3_600_000

const entry = (
  id: number,
  title: string,
  status: Entry['status'],
  type: string,
  author: string,
  words: number,
  hours: number,
): Entry => ({
  id: `e${id}`,
  title,
  status,
  type,
  author,
  words,
  updatedAt: new Date(Date.now() - hours * HOUR).toISOString(),
})

export const entries: readonly Entry[] = [
  entry(1, 'Spring menu', 'live', 'Page', 'Ada Lovelace', 412, 0.05),
  entry(
    2,
    'Opening hours in the week after Easter, with the exceptions for the terrace and the garden',
    'scheduled',
    'Post',
    'Grace Hopper',
    128,
    2,
  ),
  entry(3, 'How we choose our olive oil', 'draft', 'Post', 'Zeno of Kition', 1874, 26),
  entry(
    4,
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
    'live',
    'Post',
    'Ada Lovelace',
    96,
    80,
  ),
  entry(5, 'Newsletter March', 'failed', 'Mailing', 'Grace Hopper', 640, 130),
  entry(6, 'About us', 'live', 'Page', 'Ada Lovelace', 903, 900),
  entry(7, 'Imprint', 'live', 'Page', 'Ada Lovelace', 210, 9000),
]
