import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Checkbox } from '@stoa/ui/form/checkbox.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { useUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Check, CircleAlert, Images, LoaderCircle } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { readConflict } from '../../api.ts'
import { AltSuggestion } from '../../field-assistant/alt-suggestion.tsx'
import { MediaThumb } from '../media-thumb.tsx'
import { type MediaRecord, mediaKey, readMedia, updateMedia } from '../queries.ts'
import { OthersNotice } from './bulk-run.tsx'

type AltDialogProps = { files: readonly MediaRecord[]; others: number; onClose: () => void }

/** Alternative texts of many pictures, one below the other; each is saved when it is left. */
export const AltDialog = ({ files, others, onClose }: AltDialogProps) => {
  const queryClient = useQueryClient()
  // The list is fixed when the dialog opens: a row must not vanish once its text is written
  const [pictures] = useState(() => files.filter(({ mimeType }) => mimeType.startsWith('image/')))
  const saves = useRef(new Map<string, Promise<boolean>>())
  const close = async () => {
    // Leaving the input saves the text being typed
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur()
    const results = await Promise.all(saves.current.values())
    void queryClient.invalidateQueries({ queryKey: mediaKey })
    if (results.every(Boolean)) onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={() => void close()}
      size="lg"
      title="Alt texts"
      description="Describe each image for screen readers. Press Tab to save and go to the next."
      footer={
        <Button variant="primary" onClick={() => void close()}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <OthersNotice others={others} />
        {pictures.length === 0 ? (
          <EmptyState icon={<Images />} title="None of these files is an image" />
        ) : (
          <ul className="divide-y divide-line">
            {pictures.map((media) => (
              <AltRow key={media.id} media={media} onSave={(save) => saves.current.set(media.id, save)} />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

type RowState =
  | { step: 'idle' | 'saving' | 'saved' }
  | { step: 'failed'; problem: string }
  | { step: 'conflict'; by: string | undefined; wanted: Texts }

type Texts = { alt: string; decorative: boolean }

type AltRowProps = {
  media: MediaRecord
  /** Called with whether the row has no unsaved changes. */
  onSave: (save: Promise<boolean>) => void
}

const AltRow = ({ media, onSave }: AltRowProps) => {
  const [saved, setSaved] = useState(media)
  const [alt, setAlt] = useState(media.alt)
  const [decorative, setDecorative] = useState(media.decorative)
  const [state, setState] = useState<RowState>({ step: 'idle' })
  const noteId = useId()
  const input = useRef<HTMLInputElement>(null)
  useUnsavedChanges(alt.trim() !== saved.alt)
  const take = (record: MediaRecord) => {
    setSaved(record)
    setAlt(record.alt)
    setDecorative(record.decorative)
    setState({ step: 'saved' })
  }
  const send = async (wanted: Texts, version: number | 'any'): Promise<boolean> => {
    setState({ step: 'saving' })
    setDecorative(wanted.decorative)
    try {
      take(await updateMedia(media.id, wanted, version))
      return true
    } catch (error) {
      const conflict = readConflict(error)
      setDecorative(saved.decorative)
      setState(conflict ? { step: 'conflict', by: conflict.by, wanted } : { step: 'failed', problem: messageOf(error) })
      return false
    }
  }
  const save = (wanted: Texts, version: number | 'any' = saved.version) => {
    if (wanted.alt !== saved.alt || wanted.decorative !== saved.decorative) onSave(send(wanted, version))
  }
  const takeTheirs = async (): Promise<boolean> => {
    try {
      take(await readMedia(media.id))
      return true
    } catch (error) {
      setState({ step: 'failed', problem: messageOf(error) })
      return false
    }
  }
  const takeText = (text: string) => {
    setAlt(text)
    input.current?.focus()
  }
  const leave = () => {
    if (state.step === 'conflict') return
    // A text says that the picture is not decorative
    save({ alt: alt.trim(), decorative: saved.decorative && alt.trim() === '' })
  }
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-3 py-3">
      <MediaThumb media={media} size="md" />
      <div className="flex min-w-48 flex-1 flex-col gap-1.5">
        <span className="truncate text-faint text-xs">{media.filename}</span>
        <div className="flex items-center gap-2">
          <Input
            ref={input}
            aria-label={`Alt text for ${media.filename}`}
            aria-describedby={noteId}
            aria-invalid={state.step === 'failed' || state.step === 'conflict' || undefined}
            value={alt}
            placeholder={saved.decorative ? 'Decorative' : 'What does the image show?'}
            onChange={(event) => setAlt(event.target.value)}
            onBlur={leave}
            onKeyDown={(event) => {
              if (event.key === 'Enter') leave()
            }}
          />
          <StepIcon step={state.step} />
        </div>
        <div id={noteId} role="status" className="text-xs">
          <RowNote state={state} onMine={(wanted) => save(wanted, 'any')} onTheirs={() => onSave(takeTheirs())} />
        </div>
        {decorative || state.step === 'conflict' ? null : <AltSuggestion media={media} onUse={takeText} />}
      </div>
      <span className="flex items-center gap-2 text-muted text-sm">
        <Checkbox
          aria-label={`${media.filename} is decorative`}
          checked={decorative}
          disabled={state.step === 'saving' || state.step === 'conflict'}
          onChecked={(checked) => save({ alt: checked ? '' : alt.trim(), decorative: checked })}
        />
        <span aria-hidden>Decorative</span>
      </span>
    </li>
  )
}

const StepIcon = ({ step }: Pick<RowState, 'step'>) => {
  if (step === 'saving') return <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin text-faint" />
  if (step === 'saved') return <Check aria-hidden className="size-4 shrink-0 text-live-mark" />
  if (step === 'idle') return <span className="size-4 shrink-0" />
  return <CircleAlert aria-hidden className="size-4 shrink-0 text-failed-mark" />
}

type RowNoteProps = { state: RowState; onMine: (wanted: Texts) => void; onTheirs: () => void }

const RowNote = ({ state, onMine, onTheirs }: RowNoteProps) => {
  if (state.step === 'saved') return <span className="sr-only">Saved</span>
  if (state.step === 'failed') return <span className="text-danger-ink">{state.problem}</span>
  if (state.step !== 'conflict') return null
  return (
    <span className="flex flex-wrap items-center gap-2 text-danger-ink">
      {state.by ?? 'Someone else'} changed this file in the meantime.
      <Button size="sm" onClick={onTheirs}>
        Load theirs
      </Button>
      <Button size="sm" onClick={() => onMine(state.wanted)}>
        Overwrite with mine
      </Button>
    </span>
  )
}
