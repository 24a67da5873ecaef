import { SearchMenu, type SearchMenuItem } from '@stoa/ui/layer/search-menu.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { LabelDot } from '../folders/label-chip.tsx'
import { rememberLabels, useKnownLabels } from './known-labels.ts'
import { labelFrom, labelsOf } from './labels.ts'
import type { ActMenuProps } from './menu-props.ts'
import { useMessageActs } from './use-message-acts.ts'

type LabelMenuProps = ActMenuProps & {
  /** The keywords that all of the messages have. */
  keywords?: readonly string[] | undefined
  /** Those that only some of them have. */
  someKeywords?: readonly string[] | undefined
}

/** Puts labels on messages and takes them off; a new one is made by typing it. */
export const LabelMenu = ({ target, keywords = [], someKeywords = [], onDone, ...menu }: LabelMenuProps) => {
  const queryClient = useQueryClient()
  const [ownOpen, setOwnOpen] = useState(false)
  const isOpen = menu.open ?? ownOpen
  const known = useKnownLabels({ enabled: isOpen })
  const acts = useMessageActs()
  // What was just chosen holds until the messages say the same
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const set = (label: string, on: boolean) => {
    setChosen((before) => new Map([...before, [label, on]]))
    if (on) rememberLabels(queryClient, [label])
    void acts.label(target, on ? { add: [label] } : { remove: [label] })
    onDone?.()
  }
  const labels = [...new Set([...known, ...labelsOf([...keywords, ...someKeywords]), ...chosen.keys()])].toSorted()
  const stateOf = (label: string): NonNullable<SearchMenuItem['checked']> =>
    chosen.get(label) ?? (keywords.includes(label) ? true : someKeywords.includes(label) ? 'mixed' : false)
  const change = (next: boolean) => {
    if (next) setChosen(new Map())
    menu.onOpenChange?.(next)
    setOwnOpen(next)
  }
  return (
    <SearchMenu
      {...menu}
      open={isOpen}
      onOpenChange={change}
      label="Labels"
      placeholder="Label as…"
      empty="Type a name to create a label."
      keepOpen
      items={labels.map((label) => ({ id: label, label, checked: stateOf(label), icon: <LabelDot label={label} /> }))}
      onPick={({ id }) => set(id, stateOf(id) !== true)}
      create={(words) => {
        const label = labelFrom(words)
        if (label === '' || labels.includes(label)) return undefined
        return { label: `Create label “${label}”`, onCreate: () => set(label, true) }
      }}
    />
  )
}
