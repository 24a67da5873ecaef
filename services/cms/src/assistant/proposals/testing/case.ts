import assert from 'node:assert/strict'
import type { Proposal } from '@stoa/cms-model/assistant.ts'
import type { CmsAnswer } from '@stoa/tests/lib/cms.ts'
import type { Proposing } from './proposing.ts'

/** What a case is made of. */
export type CaseGround = Proposing & {
  /** A connected account of the network `demo`. */
  account: string
  draft(title?: string): Promise<CmsAnswer['body']>
  get(path: string): Promise<CmsAnswer['body']>
  made(path: string, body: object): Promise<CmsAnswer['body']>
  /** A name that nothing has. */
  fresh(word: string): string
}

export const caseGround = (site: Proposing, account: string): CaseGround => {
  let names = 0
  const { client } = site.admin
  return {
    ...site,
    account,
    draft: (title = 'Old') => site.add(client, { type: 'article', title, data: { summary: 'Short' } }),
    get: async (path) => (await client.get(path)).body,
    async made(path, body) {
      const answer = await client.post(path, body)
      assert.ok(answer.status < 300, answer.text)
      return answer.body
    },
    fresh: (word) => `${word}${++names}`,
  }
}

export type Prepared = {
  args: object
  /** What is like it was said, once it is applied. */
  expect: (answers: CmsAnswer[]) => unknown
  /** What the person adds. */
  adds?: object
  verb: string
  risk: Proposal['risk']
  paths: string[]
}

export type Case = {
  prepare: () => Promise<Prepared>
  /** Arguments that its route refuses. */
  refused: () => Promise<[args: object, code: string, key?: string]>
}
