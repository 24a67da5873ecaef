import assert from 'node:assert/strict'
import type { Proposal } from '@stoa/cms-model/assistant.ts'
import { AppError } from '@stoa/kit/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsAnswer, CmsClient, CmsOptions, Person } from '@stoa/tests/lib/cms.ts'
import { type Site, startSite } from '../../../content/entries/testing/site.ts'
import { contextFor } from '../../../context.ts'
import { findAccount } from '../../../people/accounts/queries.ts'
import { appErrorOf, type Json } from '../../../people/call-route/call-route.ts'
import type { Reach } from '../../tools/tool.ts'
import { createReach, proposeTools } from '../../tools/tools.ts'
import { PROPOSAL_HEADER } from '../applying.ts'
import { storeProposal } from '../proposals.ts'
import { insertConversation } from './queries.ts'

export type Turn = { conversationId: string; messageId: string; read: Map<string, number> }

export type Proposing = Site & {
  reach(person: Person, read?: Map<string, number>): Promise<Reach>
  turn(person: Person): Promise<Turn>
  /** What a turn does with a call of a tool: a stored proposal, or the refusal that the model reads. */
  call(person: Person, tool: string, args: object, more?: { turn?: Turn; texts?: string[] }): Promise<string | AppError>
  /** The same, of which the test needs a proposal. */
  propose(person: Person, tool: string, args: object, more?: { turn?: Turn; texts?: string[] }): Promise<Proposal>
  show(person: Person, id: string): Promise<Proposal>
  /** Sends a request of the proposal as the admin does. */
  apply(client: CmsClient, proposal: Proposal, more?: Sending): Promise<CmsAnswer>
}

export type Sending = { index?: number; body?: unknown; headers?: Record<string, string>; path?: string }

export const startProposing = async (options: CmsOptions = {}): Promise<Proposing> => {
  const site = await startSite(options)
  const { services, routes, database } = site.cms

  const reach: Proposing['reach'] = async ({ id, sessionId }, read = new Map()) => {
    const account = await findAccount(database.db, id)
    assert.ok(account)
    return createReach(contextFor(services, { kind: 'session', sessionId, account }), routes, read)
  }
  const turn: Proposing['turn'] = async ({ id }) => ({
    ...(await database.tx((tx) => insertConversation(tx, id, site.clock.now()))),
    read: new Map(),
  })
  const call: Proposing['call'] = async (person, name, args, more = {}) => {
    const { conversationId, messageId, read } = more.turn ?? (await turn(person))
    const tool = proposeTools.find((each) => each.name === name)
    assert.ok(tool, `there is no tool ${name}`)
    const input = tool.input.safeParse({ reason: 'Because', ...args })
    if (!input.success) return new AppError('VALIDATION_FAILED', 400, input.error.message)
    const own = await reach(person, read)
    try {
      const outcome = await tool.run(own, input.data)
      assert.ok(outcome.kind === 'proposal')
      const stored = await database.tx((tx) =>
        storeProposal(own.ctx, tx, {
          conversationId,
          messageId,
          callId: newId(),
          accountId: person.id,
          tool: name,
          args: input.data as Json,
          draft: outcome.draft,
          userTexts: more.texts ?? [],
        }),
      )
      return stored.id
    } catch (raised) {
      if (appErrorOf(raised).status >= 500) throw raised
      return appErrorOf(raised)
    }
  }
  const show: Proposing['show'] = async ({ client }, id) => {
    const answer = await client.get(`/api/assistant/proposals/${id}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  return {
    ...site,
    reach,
    turn,
    call,
    show,
    async propose(person, tool, args, more) {
      const id = await call(person, tool, args, more)
      if (id instanceof AppError) throw new Error(`${id.code}: ${id.message} ${JSON.stringify(id.details ?? {})}`)
      return show(person, id)
    },
    async apply(client, proposal, { index = 0, body, headers = {}, path } = {}) {
      const request = proposal.requests[index]
      assert.ok(request)
      const sent = body === undefined ? request.body : body
      return client.send(request.method, path ?? request.path, {
        ...(sent === null ? {} : { body: sent }),
        headers: { [PROPOSAL_HEADER]: proposal.id, ...headers },
      })
    },
  }
}

/** Status and code in one text. */
export const outcomeOf = ({ status, body }: CmsAnswer): string => (body?.code ? `${status} ${body.code}` : `${status}`)
