import type { PurchaseRow } from '#store/accounts/purchases.ts'

/**
 * Takes the payment of purchases. A provider that is paid online returns its checkout page and settles the purchase by
 * `grantPurchase` when it hears of the payment.
 */
export type PaymentProvider = {
  /** How an account pays. */
  payment: 'operator'
  /** Called once per request, before it is stored. The page to pay at; null if somebody decides later. */
  checkoutUrl(purchase: PurchaseRow): Promise<string | null>
}

/** The operator takes the payment elsewhere and grants the request. */
export const operatorsGrant: PaymentProvider = {
  payment: 'operator',
  checkoutUrl: async () => null,
}
