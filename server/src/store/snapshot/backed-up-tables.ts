/** The tables of a backup. Each comes after the tables that its rows refer to. */
export const BACKED_UP_TABLES: readonly string[] = [
  'accounts',
  'api_keys',
  'sessions',
  'developers',
  'configurations',
  'attribution_tokens',
  'embed_sessions',
  'servers',
  'access_tokens',
  'sources',
  'secret_keys',
  'credentials',
  'linked_accounts',
  'link_attempts',
  'source_credits',
  'purchases',
  'webhooks',
  'webhook_deliveries',
  'limit_notices',
  'idempotent_answers',
  'pages',
  'texts',
  'segments',
  'segment_parts',
  'uploads',
  'upload_parts',
  'jobs',
  'job_turns',
  'monthly_calls',
  'model_usage',
  'calls',
  'call_feedback',
  'call_hours',
  'call_days',
  'source_uses',
  'retrieval_rules',
  'custom_tools',
]

/** Tables whose rows are useful for hours at most, or which the database maintains. */
export const OTHER_TABLES: readonly string[] = [
  'schema_version',
  'served_changes',
  'rate_limits',
  'host_shares',
  'host_slots',
  'known_clients',
  'setup_links',
]

/** Tables of earlier schemas. A backup of such a schema has them until it is migrated. */
export const FORMER_TABLES: readonly string[] = ['call_citations']
