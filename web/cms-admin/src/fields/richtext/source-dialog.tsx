import { cleanHtml } from '@stoa/cms-model/html/clean.ts'
import { describeRemoved, removedFrom } from '@stoa/cms-model/html/removed.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { useDeferredValue, useState } from 'react'
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
  const removed = describeRemoved(removedFrom(useDeferredValue(source), embedHosts))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title="HTML source"
      description="Scripts, styles and anything else that can't be stored are removed."
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
      <Field
        label="HTML"
        hideLabel
        error={cleaned === null ? 'This HTML is longer than 1 MiB. Shorten it or split it.' : undefined}
      >
        <Textarea
          value={source}
          spellCheck={false}
          onChange={(event) => setSource(event.target.value)}
          className="max-h-[60dvh] min-h-72 font-mono text-xs"
        />
      </Field>
      <div aria-live="polite" className="mt-3">
        {removed.length > 0 ? (
          <Notice tone="warning" title="Removed on save">
            {removed.join(', ')}
          </Notice>
        ) : null}
      </div>
    </Dialog>
  )
}
