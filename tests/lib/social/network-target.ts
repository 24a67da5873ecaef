import assert from 'node:assert/strict'
import type { Confirmed, Network, Posted, Progress, Publishing } from '@stoa/cms/social/networks/network.ts'

/** Runs a publisher as the worker does, without the delays between the steps. */
export const publish = async (
  network: Network,
  publishing: Publishing<Progress>,
): Promise<{ posted: Posted; confirmed: Confirmed | undefined }> => {
  await bringMedia(network, publishing)
  const posted = await network.publisher.commit(publishing)
  return { posted, confirmed: await network.publisher.confirm?.(publishing, posted) }
}

export const bringMedia = async (
  { publisher }: Pick<Network, 'publisher'>,
  publishing: Publishing<Progress>,
  maxQuestions = 20,
): Promise<void> => {
  await publisher.upload(publishing)
  for (let asked = 1; (await publisher.wait?.(publishing)) === 'processing'; asked += 1)
    if (asked > maxQuestions) throw new Error('the network is never ready')
}

/** A point where the process dies: `save` keeps what it got, and then nothing goes on. */
export class ProcessDied extends Error {}

export const dieAfter = (publishing: Publishing<Progress>, saves: number): Publishing<Progress> => {
  let left = saves
  return {
    ...publishing,
    get progress() {
      return publishing.progress
    },
    async save(change) {
      await publishing.save(change)
      left -= 1
      if (left === 0) throw new ProcessDied()
    },
  }
}

/** The process does what it does before this save, and dies before it is written down. */
export const dieBefore = (publishing: Publishing<Progress>, save: number): Publishing<Progress> => {
  let left = save
  return {
    ...publishing,
    get progress() {
      return publishing.progress
    },
    async save(change) {
      left -= 1
      if (left === 0) throw new ProcessDied()
      await publishing.save(change)
    },
  }
}

export type Target = ReturnType<typeof createTarget>

/** One target, driven step by step. */
export const createTarget = (
  { publisher }: Network,
  publishing: Publishing<Progress> & { saved: readonly Progress[] },
) => {
  const confirm = async (posted: Posted) =>
    (await publisher.confirm?.(publishing, posted)) ?? { ...posted, warnings: [] }
  const prepare = () => bringMedia({ publisher }, publishing)
  const commit = () => publisher.commit(publishing)
  return {
    progress: () => publishing.progress,
    saves: () => publishing.saved.length,
    upload: () => publisher.upload(publishing),
    wait: async () => publisher.wait?.(publishing),
    prepare,
    prepareUntilDeath: (saves: number) => bringMedia({ publisher }, dieAfter(publishing, saves)),
    commit,
    reconcile: () => publisher.reconcile(publishing),
    confirm,
    lookAgain: async (posted: Posted) => publisher.lookAgain?.run(publishing, posted),
    async run() {
      await prepare()
      const posted = await commit()
      return { ...posted, ...(await confirm(posted)) }
    },
  }
}

/**
 * Kills a process after each thing that it saves before the commit, goes on from what was saved, and says how often
 * the calls that bring something to the network were made.
 */
export const resumeFromEverySave = async (
  ground: { count(call: string): number; posts(): readonly unknown[] },
  makeTarget: () => Target,
  calls: readonly string[],
): Promise<void> => {
  const counts = () => calls.map((call) => ground.count(call))
  const since = (before: number[]) => counts().map((count, index) => count - (before[index] ?? 0))
  const first = makeTarget()
  let before = counts()
  await first.prepare()
  const usual = since(before)
  const saves = first.saves()
  await first.commit()
  for (let save = 1; save <= saves; save += 1) {
    const target = makeTarget()
    before = counts()
    await assert.rejects(target.prepareUntilDeath(save), ProcessDied)
    await target.prepare()
    assert.deepEqual(since(before), usual, `calls ${calls} when killed after save ${save}`)
    const live = ground.posts().length
    await target.commit()
    assert.equal(ground.posts().length, live + 1)
  }
}
