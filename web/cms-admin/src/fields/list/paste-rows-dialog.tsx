import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import type { Members } from '@stoa/cms-model/fields/members.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useState } from 'react'
import { readTable, rowsOfTable } from './table-text.ts'

type PasteRowsDialogProps = {
  field: FieldOf<'list'>
  /** How many fit in. */
  room: number
  onClose: () => void
  onRows: (rows: Members[]) => void
}

/** Rows out of a spreadsheet or a CSV file, pasted as text. */
export const PasteRowsDialog = ({ field, room, onClose, onRows }: PasteRowsDialogProps) => {
  const [text, setText] = useState('')
  const found = rowsOfTable(field.fields, readTable(text))
  const rows = found.slice(0, room)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={`Paste items into ${field.label}`}
      description={`Paste cells from a spreadsheet or a CSV file. Columns: ${field.fields.map(({ label }) => label).join(', ')}. Start with a header row to use a different order.`}
      footer={
        <>
          <span role="status" className="mr-auto text-muted text-sm">
            {text === '' ? '' : `${formatCount(rows.length, 'item', 'items')} found`}
            {found.length > room ? ", the rest don't fit" : ''}
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={rows.length === 0}
            onClick={() => {
              onClose()
              onRows(rows)
            }}
          >
            Add {rows.length === 0 ? 'items' : formatCount(rows.length, 'item', 'items')}
          </Button>
        </>
      }
    >
      <Field label="Cells">
        <Textarea
          rows={8}
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          className="font-mono text-sm"
        />
      </Field>
    </Dialog>
  )
}
