import type { FieldAssistantInput } from '@stoa/cms-model/assistant.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { may } from '../allowed.tsx'
import { aiQuery } from '../assistant/queries.ts'
import type { MediaRecord } from '../media/queries.ts'
import { isRaster } from '../media/renditions.ts'
import { meQuery } from '../queries.ts'
import { type SuggestionState, useSuggestion } from './use-suggestion.ts'
import { writesSuggestions } from './writes-suggestions.ts'

type AltSuggestionProps = {
  media: Pick<MediaRecord, 'id' | 'filename' | 'mimeType'>
  /** Writes it into the input and leaves the focus there; nothing is saved by it. */
  onUse: (alt: string) => void
}

/** "Suggest alt text", for pictures, while a provider is connected. */
export const AltSuggestion = (props: AltSuggestionProps) => {
  const { data: me } = useSuspenseQuery(meQuery)
  const isAllowed = may(me, 'content.write') && isRaster(props.media.mimeType)
  const { data: connection } = useQuery({ ...aiQuery, enabled: isAllowed })
  if (!isAllowed || !connection || !writesSuggestions(connection)) return null
  return <Suggest {...props} />
}

const inputFor = (mediaId: string): FieldAssistantInput => ({ action: 'alt', fieldType: 'text', text: '', mediaId })

const Suggest = ({ media, onUse }: AltSuggestionProps) => {
  const { state, start, stop, discard } = useSuggestion()
  const button = useRef<HTMLButtonElement>(null)
  const isWriting = state.step === 'writing'
  const label = isWriting ? 'Stop' : state.step === 'idle' ? 'Suggest alt text' : 'Try again'
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div role="status" className="min-w-0 text-sm empty:hidden">
        <Outcome state={state} />
      </div>
      <div className="flex flex-wrap gap-2">
        {state.step === 'done' ? (
          <Button
            key="use"
            size="sm"
            variant="primary"
            onClick={() => {
              discard()
              onUse(state.value)
            }}
          >
            Use this text
          </Button>
        ) : null}
        <Button
          key="ask"
          ref={button}
          size="sm"
          icon={isWriting ? <Spinner /> : undefined}
          aria-label={`${label} for ${media.filename}`}
          onClick={() => (isWriting ? stop() : start(inputFor(media.id)))}
        >
          {label}
        </Button>
        {state.step === 'done' ? (
          <Button
            key="discard"
            size="sm"
            variant="ghost"
            onClick={() => {
              discard()
              // This button goes away with the suggestion
              button.current?.focus()
            }}
          >
            Discard
          </Button>
        ) : null}
      </div>
    </div>
  )
}

const Outcome = ({ state }: { state: SuggestionState }) => {
  if (state.step === 'failed') return <p className="text-danger-ink">{state.problem}</p>
  if (state.step === 'stopped') return <p className="text-muted">Stopped</p>
  if (state.step !== 'done') return null
  return (
    <div className="rounded-lg border border-line bg-surface px-3 py-2">
      <p className="text-ink [overflow-wrap:anywhere]">{state.value}</p>
      {state.flags.includes('shortened') ? <p className="text-muted text-xs">Cut to 125 characters</p> : null}
    </div>
  )
}
