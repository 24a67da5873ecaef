import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { SearchMenu, type SearchMenuItem } from '@stoa/ui/layer/search-menu.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { LabelDot } from '../folders/label-chip.tsx'
import { saveLabel, useLabels } from './known-labels.ts'
import { findLabel, labelsOf, newLabelName } from './labels.ts'
import type { ActionMenuProps } from './menu-props.ts'
import { useMessageActions } from './use-message-actions.ts'

type LabelMenuProps = ActionMenuProps & {
  /** The keywords that all of the messages have. */
  keywords?: readonly string[] | undefined
  /** The keywords that only some of the messages have. */
  someKeywords?: readonly string[] | undefined
}

/** Puts labels on messages and takes them off; a new one is made by typing it. */
export const LabelMenu = ({ target, keywords = [], someKeywords = [], onDone, ...menu }: LabelMenuProps) => {
  const queryClient = useQueryClient()
  const [ownOpen, setOwnOpen] = useState(false)
  const isOpen = menu.open ?? ownOpen
  const known = useLabels({ enabled: isOpen })
  const actions = useMessageActions()
  // A choice just made holds until the messages have been updated
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const set = (label: string, on: boolean) => {
    setChosen((before) => new Map([...before, [label, on]]))
    void actions.label(target, on ? { add: [label] } : { remove: [label] })
    onDone?.()
  }
  const names = new Set([...labelsOf([...keywords, ...someKeywords]), ...chosen.keys()])
  const unlisted = [...names].filter((name) => !known.some((label) => label.name === name)).toSorted()
  const labels = [...known, ...unlisted.map((name) => ({ name, display_name: name }))]
  const create = async (displayName: string) => {
    const name = newLabelName(displayName, labels)
    try {
      await saveLabel(queryClient, name, { display_name: displayName, color: null })
      set(name, true)
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't create the label", description: messageOf(error) })
    }
  }
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
      items={labels.map(({ name, display_name: label }) => ({
        id: name,
        label,
        checked: stateOf(name),
        icon: <LabelDot label={name} />,
      }))}
      onPick={({ id }) => set(id, stateOf(id) !== true)}
      create={(words) => {
        const label = words.trim()
        if (label === '' || findLabel(label, labels)) return undefined
        return { label: `Create label “${label}”`, onCreate: () => void create(label) }
      }}
    />
  )
}
