import type { FieldAssistantInput } from '@stoa/cms-model/assistant.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useEffect, useRef, useState } from 'react'
import { type Suggestion, suggest } from './suggest.ts'

export type SuggestionState =
  | { step: 'idle' }
  | { step: 'writing'; text: string }
  | ({ step: 'done' } & Suggestion)
  /** The partial text is kept after a stop. */
  | { step: 'stopped'; text: string }
  | { step: 'failed'; text: string; problem: string }

export type SuggestionRun = {
  state: SuggestionState
  /** The last request. */
  asked: FieldAssistantInput | null
  start: (input: FieldAssistantInput) => void
  stop: () => void
  discard: () => void
}

/** One suggestion at a time: another one ends it, and so does leaving. */
export const useSuggestion = (): SuggestionRun => {
  const [state, setState] = useState<SuggestionState>({ step: 'idle' })
  const [asked, setAsked] = useState<FieldAssistantInput | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const run = async (input: FieldAssistantInput, mine: AbortController) => {
    let text = ''
    const show = (next: SuggestionState) => {
      if (running.current === mine) setState(next)
    }
    const onText = (delta: string) => {
      text += delta
      show({ step: 'writing', text })
    }
    show({ step: 'writing', text })
    try {
      show({ step: 'done', ...(await suggest(input, { signal: mine.signal, onText })) })
    } catch (error) {
      show(mine.signal.aborted ? { step: 'stopped', text } : { step: 'failed', text, problem: messageOf(error) })
    }
  }
  return {
    state,
    asked,
    start: (input) => {
      running.current?.abort()
      running.current = new AbortController()
      setAsked(input)
      void run(input, running.current)
    },
    stop: () => running.current?.abort(),
    discard: () => {
      running.current?.abort()
      running.current = undefined
      setState({ step: 'idle' })
    },
  }
}
