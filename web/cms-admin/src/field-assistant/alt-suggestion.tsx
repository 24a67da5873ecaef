import type { FieldAssistantInput } from '@stoa/cms-model/assistant.ts'
import { Button } from '@stoa/ui/button.tsx'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { may } from '../allowed.tsx'
import type { MediaRecord } from '../media/queries.ts'
import { isRaster } from '../media/renditions.ts'
import { meQuery } from '../queries.ts'
import { aiQuery, writesSuggestions } from './ai-query.ts'
import { useSuggestion } from './use-suggestion.ts'

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
  const ask = () => start(inputFor(media.id))
  const leave = () => {
    discard()
    // The buttons go away with the suggestion
    button.current?.focus()
  }
  const isWriting = state.step === 'writing'
  return (
    <div className="flex min-w-0 flex-col items-start gap-2">
      <span className="flex flex-wrap gap-2">
        <Button
          ref={button}
          size="sm"
          loading={isWriting}
          aria-label={`Suggest alt text for ${media.filename}`}
          onClick={ask}
        >
          {state.step === 'idle' || isWriting ? 'Suggest alt text' : 'Try again'}
        </Button>
        {isWriting ? (
          <Button size="sm" variant="ghost" onClick={stop}>
            Stop
          </Button>
        ) : null}
      </span>
      <div role="status" className="min-w-0 text-sm empty:hidden">
        {state.step === 'failed' ? <p className="text-danger-ink">{state.problem}</p> : null}
        {state.step === 'stopped' && state.text !== '' ? (
          <p className="text-muted">Stopped before it was complete</p>
        ) : null}
        {state.step === 'done' ? (
          <div className="flex flex-col items-start gap-2 rounded-lg border border-line bg-surface px-3 py-2.5">
            <p className="text-ink [overflow-wrap:anywhere]">{state.value}</p>
            {state.flags.includes('shortened') ? <p className="text-muted text-xs">Cut to 125 characters</p> : null}
            <span className="flex flex-wrap gap-2">
              <Button
                size="sm"
                variant="primary"
                onClick={() => {
                  discard()
                  onUse(state.value)
                }}
              >
                Use this text
              </Button>
              <Button size="sm" variant="ghost" onClick={leave}>
                Discard
              </Button>
            </span>
          </div>
        ) : null}
      </div>
    </div>
  )
}
