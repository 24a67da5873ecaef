import { useId, useState } from 'react'
import { CheckboxField } from '../form/checkbox.tsx'
import { ChoiceGroup, RadioChoice } from '../form/choice-group.tsx'
import { areAll } from './words.ts'

/** Events that people think of together. */
export type EventGroup<E extends string> = { label: string; events: readonly { name: E; label: string }[] }

type EventChoiceProps<E extends string> = {
  groups: readonly EventGroup<E>[]
  /** The value for all events: every name, or the wildcard of the service. */
  all: readonly E[]
  allLabel: string
  value: readonly E[]
  onValue: (events: E[]) => void
  error: string | undefined
}

/** Which events a webhook subscribes to: all, or those that are checked. */
export const EventChoice = <E extends string>({ all, allLabel, error, ...boxes }: EventChoiceProps<E>) => {
  const { value, onValue } = boxes
  const name = useId()
  // Not read from the value: after ticking the last box the boxes stay visible
  const [some, setSome] = useState(!areAll(value, all))
  return (
    <ChoiceGroup label="Events" error={error}>
      <RadioChoice
        name={name}
        value="all"
        chosen={some ? 'some' : 'all'}
        onChoose={() => {
          setSome(false)
          onValue([...all])
        }}
        label={allLabel}
      />
      <RadioChoice
        name={name}
        value="some"
        chosen={some ? 'some' : 'all'}
        onChoose={() => {
          setSome(true)
          onValue([])
        }}
        label="Only some events"
      />
      {some ? <EventBoxes {...boxes} /> : null}
    </ChoiceGroup>
  )
}

type EventBoxesProps<E extends string> = Pick<EventChoiceProps<E>, 'groups' | 'value' | 'onValue'>

const EventBoxes = <E extends string>({ groups, value, onValue }: EventBoxesProps<E>) => {
  const toggle = (names: readonly E[], checked: boolean) => {
    const rest = value.filter((event) => !names.includes(event))
    onValue(checked ? [...rest, ...names] : rest)
  }
  return (
    <div className="columns-2 gap-x-6 pl-6.5 phone:columns-1">
      {groups.map((group) => {
        const names = group.events.map(({ name }) => name)
        const chosen = names.filter((name) => value.includes(name)).length
        return (
          <div key={group.label} className="flex break-inside-avoid flex-col gap-1.5 pb-4">
            <CheckboxField
              label={<span className="font-medium">{group.label}</span>}
              checked={chosen === names.length}
              indeterminate={chosen > 0 && chosen < names.length}
              onChecked={(checked) => toggle(names, checked)}
            />
            {names.length === 1
              ? null
              : group.events.map((event) => (
                  <div key={event.name} className="pl-6.5">
                    <CheckboxField
                      label={event.label}
                      checked={value.includes(event.name)}
                      onChecked={(checked) => toggle([event.name], checked)}
                    />
                  </div>
                ))}
          </div>
        )
      })}
    </div>
  )
}
