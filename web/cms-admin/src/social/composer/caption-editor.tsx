import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { formatCount, formatNumber } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { Coins, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { NetworkMark } from '../network-mark.tsx'
import { attached, captionFor, type Draft, isDetached, type selectedNetworks, withCaption } from './draft.ts'
import { type Count, countFor, hasLink } from './limits.ts'

type Selected = ReturnType<typeof selectedNetworks>

type CaptionEditorProps = {
  draft: Draft
  selected: Selected
  /** The network that is written for; null: all. */
  tab: string | null
  onTab: (network: string | null) => void
  errors: { all: string | undefined; own: (network: string) => string | undefined }
  onDraft: (draft: Draft) => void
}

/** The words of a post: the same for all networks, until one gets its own. */
export const CaptionEditor = ({ draft, selected, tab, onTab, errors, onDraft }: CaptionEditorProps) => {
  const current = selected.find(({ network }) => network.network === tab)
  const network = current?.network.network ?? null
  const isOwn = network !== null && isDetached(draft, network)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Field
        label={current ? `Caption for ${current.network.label}` : 'Caption'}
        error={network === null ? errors.all : (errors.own(network) ?? (isOwn ? undefined : errors.all))}
        action={
          current && network !== null && isOwn ? (
            <span className="flex items-center gap-2">
              <Badge tone="accent">Customized</Badge>
              <Button size="sm" variant="ghost" icon={<RotateCcw />} onClick={() => onDraft(attached(draft, network))}>
                Reset to shared caption
              </Button>
            </span>
          ) : undefined
        }
      >
        <Textarea
          rows={6}
          dir="auto"
          className="min-h-36"
          placeholder="What do you want to say?"
          value={network === null ? draft.caption : captionFor(draft, network)}
          onChange={({ target }) => onDraft(withCaption(draft, network, target.value))}
        />
      </Field>
      {selected.length > 0 ? (
        <fieldset aria-label="Customize by network" className="flex flex-wrap gap-1.5">
          <TabChip isCurrent={network === null} label="Shared caption" onPick={() => onTab(null)}>
            Shared
          </TabChip>
          {selected.map((one) => {
            const count = countFor(draft, one)
            const { network: name, label } = one.network
            const words = `${label}${isDetached(draft, name) ? ', customized' : ''}: ${wordsFor(count)}`
            return (
              <TabChip
                key={name}
                isCurrent={network === name}
                isOver={count.left < 0}
                label={words}
                onPick={() => onTab(name)}
              >
                <NetworkMark network={name} size="xs" />
                <span className="sr-only">{words}</span>
                <Counter count={count} />
                {isDetached(draft, name) ? <span aria-hidden className="size-1.5 rounded-full bg-accent" /> : null}
              </TabChip>
            )
          })}
        </fieldset>
      ) : null}
      {network !== null && !isOwn ? (
        <p className="text-faint text-xs">
          This is the shared caption. Edit it here to customize it for {current?.network.label} only.
        </p>
      ) : null}
      {selected.map(({ network: { network: name, linkNote } }) =>
        linkNote !== undefined && hasLink(draft, name) ? (
          <p key={name} className="flex items-start gap-1.5 text-muted text-xs">
            <Coins aria-hidden className="mt-0.5 size-3.5 shrink-0" />
            {linkNote}
          </p>
        ) : null,
      )}
    </div>
  )
}

const wordsFor = ({ used, max, left }: Count): string =>
  left < 0
    ? `${formatCount(-left, 'character', 'characters')} too long`
    : `${formatNumber(used)} of ${formatNumber(max)} characters`

const Counter = ({ count: { used, max, left } }: { count: Count }) => (
  <span aria-hidden className="tabular-nums">
    {formatNumber(used)}
    <span className={left < 0 ? '' : 'text-faint'}>/{formatNumber(max)}</span>
  </span>
)

type TabChipProps = {
  isCurrent: boolean
  isOver?: boolean
  label: string
  onPick: () => void
  children: ReactNode
}

const TabChip = ({ isCurrent, isOver = false, label, onPick, children }: TabChipProps) => (
  <button
    type="button"
    aria-pressed={isCurrent}
    title={label}
    onClick={onPick}
    className={cx(
      'flex h-7 items-center gap-1.5 rounded-full border px-2.5 text-xs transition-colors touch:h-10 touch:px-3.5',
      isOver
        ? 'border-failed-line bg-failed-soft text-failed-ink'
        : isCurrent
          ? 'border-accent-line bg-accent-soft text-accent-ink'
          : 'border-line bg-surface text-muted hover:bg-hover hover:text-ink',
      isCurrent && isOver && 'outline outline-failed-mark',
    )}
  >
    {children}
  </button>
)
