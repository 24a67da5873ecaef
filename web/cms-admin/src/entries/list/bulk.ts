import type { BulkResults } from '@stoa/cms-model/entries.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { sentence } from '@stoa/ui/request/request.ts'

/** Few enough that the bar moves and a cancel soon takes effect; the service takes 100. */
export const CHUNK = 20

export type BulkOutcome = { id: string; ok: boolean; error?: string }
export type BulkState = 'running' | 'done' | 'cancelled' | 'failed'
export type BulkProgress = { state: BulkState; outcomes: readonly BulkOutcome[] }

type BulkWork = {
  ids: readonly string[]
  /** Changes some of them; what one is refused for does not stop the others. */
  change: (ids: string[]) => Promise<BulkResults>
  /** Asked between two requests. */
  isCancelled: () => boolean
  onProgress: (progress: BulkProgress) => void
}

/** Applies one change to many entries, some at a time. Stops when the service does not answer: the rest is not tried. */
export const runBulk = async ({ ids, change, isCancelled, onProgress }: BulkWork): Promise<BulkProgress> => {
  const outcomes: BulkOutcome[] = []
  const report = (state: BulkState): BulkProgress => {
    const progress = { state, outcomes: [...outcomes] }
    onProgress(progress)
    return progress
  }
  for (let start = 0; start < ids.length; start += CHUNK) {
    if (isCancelled()) return report('cancelled')
    const chunk = ids.slice(start, start + CHUNK)
    try {
      const { results } = await change(chunk)
      outcomes.push(...results.map(toOutcome))
    } catch (error) {
      outcomes.push(...chunk.map((id) => ({ id, ok: false, error: messageOf(error) })))
      return report('failed')
    }
    if (start + CHUNK < ids.length) report('running')
  }
  return report('done')
}

export const failuresOf = ({ outcomes }: BulkProgress): readonly BulkOutcome[] => outcomes.filter(({ ok }) => !ok)

const toOutcome = ({ id, ok, code, error }: BulkResults['results'][number]): BulkOutcome =>
  ok ? { id, ok } : { id, ok, error: reasons.get(code ?? '') ?? sentence(error ?? "This entry couldn't be changed") }

/** The service says the same of every request; here it is about an entry that can be opened. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['VALIDATION_FAILED', 'A field is missing or invalid. Open the entry for details.'],
])
