import { CheckboxField } from '@stoa/ui/checkbox.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/choice-group.tsx'
import { messageOf } from '@stoa/ui/problem.ts'
import { Skeleton } from '@stoa/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { typesQuery } from './queries.ts'
import { ALL_TYPES, isAllTypes } from './scope.ts'

type TypeScopeProps = {
  label: string
  help?: string
  /** Type names, or `["*"]`. */
  value: readonly string[]
  onValue: (types: string[]) => void
  error?: string | undefined
}

/** All content types, or some of them. */
export const TypeScope = ({ label, help, value, onValue, error }: TypeScopeProps) => {
  const name = useId()
  const all = isAllTypes(value)
  return (
    <ChoiceGroup label={label} help={help} error={error}>
      <RadioChoice
        name={name}
        value="all"
        chosen={all ? 'all' : 'some'}
        onChoose={() => onValue([ALL_TYPES])}
        label="All types, also those that are made later"
      />
      <RadioChoice
        name={name}
        value="some"
        chosen={all ? 'all' : 'some'}
        onChoose={() => onValue([])}
        label="Only some types"
      />
      {all ? null : <TypeBoxes value={value} onValue={onValue} />}
    </ChoiceGroup>
  )
}

type TypeBoxesProps = { value: readonly string[]; onValue: (types: string[]) => void }

const TypeBoxes = ({ value, onValue }: TypeBoxesProps) => {
  const { data, error } = useQuery(typesQuery)
  if (error) return <p className="pl-6.5 text-danger-ink text-xs">{messageOf(error)}</p>
  if (!data) return <Skeleton className="ml-6.5 h-16" />
  const known = data.items.map((type) => ({ name: type.name, label: type.labelPlural }))
  // A type that was deleted stays ticked until someone unticks it
  const gone = value.filter((type) => !known.some(({ name }) => name === type))
  const shown = [...known, ...gone.map((type) => ({ name: type, label: `${type} (deleted)` }))]
  if (shown.length === 0) return <p className="pl-6.5 text-faint text-xs">There are no content types yet.</p>
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-1.5 pl-6.5 phone:grid-cols-1">
      {shown.map((type) => (
        <CheckboxField
          key={type.name}
          label={type.label}
          checked={value.includes(type.name)}
          onChecked={(checked) =>
            onValue(checked ? [...value, type.name] : value.filter((other) => other !== type.name))
          }
        />
      ))}
    </div>
  )
}
