import { cleanHtml } from '@stoa/cms-model/html/clean.ts'
import { Button } from '@stoa/ui/button.tsx'
import { Dialog } from '@stoa/ui/dialog.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { Textarea } from '@stoa/ui/textarea.tsx'
import { useState } from 'react'
import { layOutHtml } from './source-layout.ts'

type SourceDialogProps = {
  html: string
  embedHosts: readonly string[]
  onSave: (html: string) => void
  onClose: () => void
}

/** The HTML of a text, to be changed by hand. What comes out has passed the policy of stored HTML. */
export const SourceDialog = ({ html, embedHosts, onSave, onClose }: SourceDialogProps) => {
  const [source, setSource] = useState(() => layOutHtml(html))
  const cleaned = cleanHtml(source, embedHosts)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title="HTML source"
      description="Anything that may not be stored, such as scripts and styles, is taken out."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={cleaned === null}
            onClick={() => {
              if (cleaned !== null) onSave(cleaned)
            }}
          >
            Use this HTML
          </Button>
        </>
      }
    >
      <Field label="HTML" hideLabel error={cleaned === null ? 'It is longer than 1 MB.' : undefined}>
        <Textarea
          value={source}
          spellCheck={false}
          onChange={(event) => setSource(event.target.value)}
          className="max-h-[60dvh] min-h-72 font-mono text-xs"
        />
      </Field>
    </Dialog>
  )
}
