import type { CmsTx, Ctx } from '../../context.ts'
import type { Progress } from './progress.ts'
import { type Held, type Holder, saveProgress } from './queries-turn.ts'
import { TurnEnding } from './turns.ts'

/** How often what was said is written down, so that other processes can show it. */
const SAVE_MS = 500
/** How often at least the holder says that it is at work, and looks whether it is to stop. */
const RENEW_MS = 3_000

/** Writes what a turn has done so far, one write after the other. */
export type Saver = {
  /** Marks the progress as changed. */
  touch(): void
  /** Writes now; the turn ends when it is no longer ours, or when its person wants it to. */
  save(write: (tx: CmsTx) => Promise<Held>): Promise<void>
  /** Writes nothing more; resolves when nothing is being written. */
  stop(): Promise<void>
}

export const createSaver = (
  { tx, log }: Pick<Ctx, 'tx' | 'log'>,
  { holder, progress, controller }: { holder: Holder; progress: Progress; controller: AbortController },
): Saver => {
  let isTouched = false
  let savedAt = performance.now()
  let isSaving = false
  let tail: Promise<unknown> = Promise.resolve()

  const save: Saver['save'] = (write) => {
    const saved = tail.then(async () => {
      const held = await tx(write)
      savedAt = performance.now()
      if (held === null) controller.abort(new TurnEnding('lost'))
      else if (held.isStopWanted) controller.abort(new TurnEnding('stopped'))
    })
    tail = saved.catch(() => undefined)
    return saved
  }
  const look = async (): Promise<void> => {
    if (isSaving || (!isTouched && performance.now() - savedAt < RENEW_MS)) return
    isSaving = true
    isTouched = false
    try {
      await save((tx) => saveProgress(tx, { ...holder, ...progress.stored() }))
    } catch (error) {
      isTouched = true
      log.warn({ err: error }, 'the progress of a turn could not be saved; trying again')
    } finally {
      isSaving = false
    }
  }
  const timer = setInterval(() => void look(), SAVE_MS)
  return {
    touch() {
      isTouched = true
    },
    save,
    async stop() {
      clearInterval(timer)
      await tail
    },
  }
}
