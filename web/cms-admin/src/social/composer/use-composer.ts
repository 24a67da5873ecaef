import { differs } from '@stoa/ui/form/form-errors.ts'
import { useUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { problemOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useVersionedSave } from '../../conflict.tsx'
import { createPost, readPost, socialKey, updatePost } from '../queries.ts'
import type { SocialNetwork, SocialPost } from '../wire.ts'
import { bodyOf, type Draft, draftOf, openNetworks, selectedNetworks } from './draft.ts'
import { mergedProblems, type PostProblem, problemsOf, refusedProblems, stillRefused } from './problems.ts'
import { useFileFacts } from './use-file-facts.ts'

type Beginning = {
  initial: Draft
  /** The stored post; null for a new one. */
  post: SocialPost | null
  networks: readonly SocialNetwork[]
}

/** A post while it is written: what is typed, what is wrong with it, and saving it. */
export const useComposer = ({ initial, post, networks }: Beginning) => {
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(initial)
  // Leaving a post that was prefilled from an entry asks first
  const [saved, setSaved] = useState<Draft>(() => (post ? draftOf(post) : initial))
  const [stored, setStored] = useState(post)
  const [refused, setRefused] = useState<{ problems: readonly PostProblem[]; sent: Draft }>()
  const [failure, setFailure] = useState<string>()
  const [hasTried, setTried] = useState(false)
  const [saving, setSaving] = useState(false)
  const versioned = useVersionedSave('this post')
  const dirty = differs(draft, saved)
  useUnsavedChanges(dirty)
  const files = useFileFacts(draft.media)
  const done = stored?.targets.filter(({ status }) => status === 'posted').map(({ accountId }) => accountId) ?? []
  const own = problemsOf(draft, networks, { files, done })
  const left = refused ? stillRefused(refused.problems, { sent: refused.sent, draft }) : []
  const all = mergedProblems(own, left)
  // An empty post shows no errors before the first attempt to save it
  const problems = hasTried ? all : all.filter(({ network, key }) => network !== null || !QUIET_UNTIL_TRIED.has(key))

  /** The post as it is stored then; undefined when it could not be saved, and the problems say why. */
  const save = async (): Promise<SocialPost | undefined> => {
    setTried(true)
    setFailure(undefined)
    if (own.length > 0) return undefined
    if (stored && !dirty) return stored
    setSaving(true)
    try {
      const { record } = await versioned.save<SocialPost>({
        version: stored?.version ?? 0,
        write: (version) => (stored ? updatePost(stored.id, bodyOf(draft), version) : createPost(bodyOf(draft))),
        read: () => readPost(stored?.id ?? ''),
      })
      const next = draftOf(record)
      setStored(record)
      setSaved(next)
      // Text typed during the save is kept
      setDraft((now) => (now === draft ? next : now))
      setRefused(undefined)
      setTried(false)
      void queryClient.invalidateQueries({ queryKey: socialKey })
      return record
    } catch (error) {
      const { message, fields } = problemOf(error)
      setRefused({ problems: refusedProblems(fields, networks), sent: draft })
      if (fields.length === 0) setFailure(message)
      return undefined
    } finally {
      setSaving(false)
    }
  }
  return {
    draft,
    setDraft,
    stored,
    dirty,
    saving,
    problems,
    isReady: all.length === 0,
    failure,
    save,
    selected: selectedNetworks(draft, networks),
    /** The networks that options can still be set for. */
    open: openNetworks(draft, networks, done),
    done,
    dialog: versioned.dialog,
    /** Missing values are listed from the start; the input shows the error after the first attempt to save. */
    errorAt: (key: string): string | undefined =>
      (hasTried || !key.startsWith('options.') ? problems : left).find((problem) => problem.key === key)?.message,
  }
}

const QUIET_UNTIL_TRIED: ReadonlySet<string> = new Set(['accountIds', 'caption'])
