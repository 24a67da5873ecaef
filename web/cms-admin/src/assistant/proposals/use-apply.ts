import type { Proposal } from '@stoa/cms-model/assistant.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ifMatch, readConflict, sendSignedIn } from '../../api.ts'
import { readEntry } from '../../entries/queries.ts'
import { openEditorOf } from '../../entries/session/open-editors.ts'
import { openProposalsQuery, readProposal } from '../queries.ts'
import { proposalKey } from '../use-chat.ts'
import { buildRequests, type Choice } from './body.ts'
import { type Secret, showSecret } from './shown-secret.tsx'

export type Applying = {
  isApplying: boolean
  problem: string | undefined
  /** Sends what is chosen, one request after the other. Whether all of it is done. */
  apply: (choice: Choice) => Promise<boolean>
}

/** Makes a proposal's change with the ordinary requests, as if the person had made it by hand. */
export const useApply = (proposal: Proposal): Applying => {
  const queryClient = useQueryClient()
  const [isApplying, setApplying] = useState(false)
  const [problem, setProblem] = useState<string>()
  const apply = async (choice: Choice): Promise<boolean> => {
    if (isApplying) return false
    setApplying(true)
    setProblem(undefined)
    try {
      const answers = await sendAll(proposal, choice)
      for (const answer of answers) showSecret(secretIn(proposal, answer))
      return true
    } catch (error) {
      setProblem(
        readConflict(error)
          ? 'Someone changed this in the meantime. Compare the proposal with the current version first.'
          : messageOf(error),
      )
      return false
    } finally {
      await refresh(queryClient, proposal)
      setApplying(false)
    }
  }
  return { isApplying, problem, apply }
}

/** Sends the requests of a proposal; a later one takes the id that an earlier one answered. */
export const sendAll = async (proposal: Proposal, choice: Choice): Promise<unknown[]> => {
  const answers: unknown[] = []
  for (const { method, path, body, version } of buildRequests(proposal, choice)) {
    const id = answers.map((answer) => memberOf(answer, 'id')).findLast((found) => found !== undefined)
    const address = id === undefined ? path : path.replace(/(?<=\/):id(?=\/|$)/, encodeURIComponent(id))
    answers.push(
      await sendSignedIn<unknown>(method, address, {
        ...(body === undefined ? {} : { body }),
        headers: { ...(version === null ? {} : ifMatch(version)), 'x-assistant-proposal': proposal.id },
      }),
    )
  }
  return answers
}

const memberOf = (answer: unknown, name: string): string | undefined => {
  const value = typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Secrets that are shown only once: the key of a delivery key, the signing secret of a webhook. */
const secretIn = ({ tool, title }: Proposal, answer: unknown): Secret | undefined => {
  const [name, fileName] =
    tool === 'propose_delivery_key'
      ? ['key', 'delivery-key.txt']
      : tool === 'propose_webhook_create'
        ? ['secret', 'webhook-secret.txt']
        : []
  const secret = name === undefined ? undefined : memberOf(answer, name)
  return secret === undefined ? undefined : { title, secret, fileName: fileName ?? 'secret.txt' }
}

/** Everything on the screen may show what was changed. The card is read by itself, with what is left of it. */
export const refresh = async (queryClient: QueryClient, { id, target }: Proposal): Promise<void> => {
  if (target.kind === 'entry' && target.id !== null) await adopt(target.id)
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'assistant' })
  void queryClient.invalidateQueries({ queryKey: openProposalsQuery.queryKey })
  const next = await readProposal(id).catch(() => undefined)
  if (next) queryClient.setQueryData(proposalKey(id), next)
}

/** An editor without changes of its own goes on with what is stored now. */
const adopt = async (entryId: string): Promise<void> => {
  const editor = openEditorOf(entryId)
  if (!editor || editor.isUnsaved()) return
  const stored = await readEntry(entryId).catch(() => undefined)
  if (stored) editor.adopt(stored)
}
