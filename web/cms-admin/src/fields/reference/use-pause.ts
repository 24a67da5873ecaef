import { useEffect, useState } from 'react'

/** Long enough for the next letter, too short to be waited for. */
const PAUSE_MS = 200

/** The value when it has rested. */
export const usePause = <V>(value: V): V => {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
