import { Button } from '@stoa/ui/button/button.tsx'
import { ToolbarButton } from '@stoa/ui/button/toolbar.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import type { Editor } from '@tiptap/core'
import {
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  BetweenVerticalEnd,
  BetweenVerticalStart,
  PanelLeft,
  PanelTop,
  Table,
  TableCellsMerge,
  TableCellsSplit,
  TextCursorInput,
  Trash2,
} from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'

type TableMenuProps = { editor: Editor; disabled: boolean; onCaption: () => void }

/** The actions on the table at the caret. */
export const TableMenu = ({ editor, disabled, onCaption }: TableMenuProps) => {
  const run = () => editor.chain().focus()
  return (
    <Menu
      align="start"
      trigger={<ToolbarButton label="Table" icon={<Table />} pressed disabled={disabled} />}
      onClosed={() => editor.commands.focus()}
    >
      <MenuItem icon={<BetweenHorizontalStart />} onSelect={() => run().addRowBefore().run()}>
        Add row above
      </MenuItem>
      <MenuItem icon={<BetweenHorizontalEnd />} onSelect={() => run().addRowAfter().run()}>
        Add row below
      </MenuItem>
      <MenuItem icon={<BetweenVerticalStart />} onSelect={() => run().addColumnBefore().run()}>
        Add column before
      </MenuItem>
      <MenuItem icon={<BetweenVerticalEnd />} onSelect={() => run().addColumnAfter().run()}>
        Add column after
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<TableCellsMerge />}
        disabled={!editor.can().mergeCells()}
        onSelect={() => run().mergeCells().run()}
      >
        Merge cells
      </MenuItem>
      <MenuItem
        icon={<TableCellsSplit />}
        disabled={!editor.can().splitCell()}
        onSelect={() => run().splitCell().run()}
      >
        Split cell
      </MenuItem>
      <MenuItem icon={<PanelTop />} onSelect={() => run().toggleHeaderRow().run()}>
        Toggle header row
      </MenuItem>
      <MenuItem icon={<PanelLeft />} onSelect={() => run().toggleHeaderColumn().run()}>
        Toggle header column
      </MenuItem>
      <MenuItem icon={<TextCursorInput />} onSelect={onCaption}>
        Caption
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} danger onSelect={() => run().deleteRow().run()}>
        Delete row
      </MenuItem>
      <MenuItem icon={<Trash2 />} danger onSelect={() => run().deleteColumn().run()}>
        Delete column
      </MenuItem>
      <MenuItem icon={<Trash2 />} danger onSelect={() => run().deleteTable().run()}>
        Delete table
      </MenuItem>
    </Menu>
  )
}

type CaptionDialogProps = { editor: Editor; onClose: () => void }

/** Asks what stands above the table. */
export const CaptionDialog = ({ editor, onClose }: CaptionDialogProps) => {
  const id = useId()
  const [caption, setCaption] = useState(() => String(editor.getAttributes('table').caption ?? ''))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const text = caption.replace(/\s+/g, ' ').trim()
    editor.commands.updateAttributes('table', { caption: text === '' ? null : text })
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Table caption"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} variant="primary">
            Save caption
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} noValidate>
        <Field label="Caption" optional>
          <Input value={caption} onChange={(event) => setCaption(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  )
}
