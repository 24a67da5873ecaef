import type { Message } from '@stoa/mail-model/messages.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { SearchInput } from '@stoa/ui/form/search-input.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { spellInvisible } from '@stoa/ui/text/shown-line.ts'
import { useState } from 'react'

/** All header fields of a message, in their order. */
export const HeadersDialog = ({ message, onClose }: { message: Message; onClose: () => void }) => {
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const shown = message.headers.filter(({ name, value }) => `${name}: ${value}`.toLowerCase().includes(words))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title="Message headers"
      footer={
        <>
          <CopyButton
            size="md"
            label="Copy all"
            text={message.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
          />
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <SearchInput label="Search headers" value={search} onSearch={setSearch} className="mb-3" />
      {shown.length === 0 ? <p className="py-6 text-center text-muted">No headers match “{search}”.</p> : null}
      <dl className="flex flex-col">
        {shown.map(({ name, value }, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: fields repeat, and their order is what they are
            key={index}
            className="grid grid-cols-[11rem_1fr] gap-x-4 border-line border-t py-1.5 first:border-t-0 phone:grid-cols-1"
          >
            <dt className="break-words font-medium text-ink">{name}</dt>
            <dd className="max-h-40 min-w-0 overflow-y-auto break-words font-mono text-muted text-xs leading-5">
              {spellInvisible(value)}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
