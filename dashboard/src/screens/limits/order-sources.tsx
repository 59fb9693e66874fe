import type { Output } from '@docent/sdk'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { count } from '../../lib/format.ts'
import { Field } from '../../ui/field.tsx'
import { ServerPicker } from '../../ui/server-picker.tsx'
import { type Price, priceInWords } from './purchase-words.ts'
import { OrderForm, Sent } from './order-form.tsx'

type Props = {
  servers: Output<'servers.list'>
  /** Of one source. */
  price: Price
  /** Server that the address names. */
  wanted: string | null
  /** The address asks for this form. */
  isWanted: boolean
  onDone: () => void
}

/** Orders sources for a server, with their price. */
export function OrderSources({ servers, price, wanted, isWanted, onDone }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [server, setServer] = useState(() => servers.find(({ id }) => id === wanted)?.id ?? servers[0]?.id ?? '')
  const [amount, setAmount] = useState('1')
  const [note, setNote] = useState('')
  const [sent, setSent] = useState<string | null>(null)
  useEffect(() => {
    if (!isWanted) return
    field.current?.scrollIntoView({ block: 'center' })
    field.current?.focus()
  }, [isWanted])
  const sources = Number(amount)
  const isNumber = Number.isInteger(sources) && sources >= 1 && sources <= 100
  const order = useAction(async () => {
    const made = await call('purchases.requestSources', { serverId: server, sources, note })
    setSent(`You ordered ${count(sources, 'source')} for ${priceInWords(made.price)}.`)
    setNote('')
    onDone()
  })
  if (servers.length === 0) return <p class="mute">Make a server first. Sources belong to one.</p>
  const total = price && isNumber ? { ...price, amount: price.amount * sources } : price
  return (
    <>
      <OrderForm
        action={order}
        submit={isNumber ? `Order ${count(sources, 'source')} for ${priceInWords(total)}` : 'Order sources'}
        isDisabled={!isNumber}
        note={note}
        setNote={setNote}
      >
        <ServerPicker label="Server" servers={servers} value={server} onChoose={setServer} input={field} />
        <Field
          label="Number of sources"
          hint={`One costs ${priceInWords(price)}, once. 1 to 100.`}
          inputMode="numeric"
          required
          value={amount}
          onInput={({ currentTarget }) => setAmount(currentTarget.value.trim())}
        />
      </OrderForm>
      {sent && !order.error && <Sent>{sent}</Sent>}
    </>
  )
}
