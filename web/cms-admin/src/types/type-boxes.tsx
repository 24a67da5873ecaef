import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { typesQuery } from './queries.ts'

type TypeBoxesProps = { value: readonly string[]; onValue: (types: string[]) => void }

/** A box for each content type. */
export const TypeBoxes = ({ value, onValue }: TypeBoxesProps) => {
  const { data, error } = useQuery(typesQuery)
  if (error) return <p className="text-danger-ink text-xs">{messageOf(error)}</p>
  if (!data) return <Skeleton className="h-16" />
  const known = data.items.map(({ name, labelPlural }) => ({ name, label: labelPlural }))
  // A type that was deleted stays ticked until someone unticks it
  const gone = value.filter((type) => !known.some(({ name }) => name === type))
  const shown = [...known, ...gone.map((type) => ({ name: type, label: `${type} (deleted)` }))]
  if (shown.length === 0) return <p className="text-faint text-xs">No content types yet</p>
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-1.5 phone:grid-cols-1">
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
