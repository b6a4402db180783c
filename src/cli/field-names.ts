// Generated from the schemas of the commands by npm run docs. Do not edit. Help pages load this, and no schema.

/** A line for each command: its words, a colon, and the fields that `--json`, `--jq` and `--fields` know. */
export const fieldsOfCommands = `
email send: emailId
email batch: row, to, redirectedTo, emailId, error, lastEvent, lastEventAt, reason; in --json, under data
email get: id, teamId, to, replyTo, cc, bcc, from, subject, html, text, createdAt, updatedAt, emailEvents, attachments, headers
email list: id, to, from, subject, html, text, createdAt, updatedAt, scheduledAt, domainId, replyTo, cc, bcc, latestStatus, lastEvent, lastEventAt, reason, bounceType, bounceSubType, diagnostic, complaint, affected; in --json, under data
email watch: id, to, from, subject, html, text, createdAt, updatedAt, scheduledAt, domainId, replyTo, cc, bcc, latestStatus, lastEvent, lastEventAt, reason, bounceType, bounceSubType, diagnostic, complaint, affected, seenAt, previousStatus
email export: file, written, changed, scanned
email reschedule: emailId
email cancel: emailId
email check: code, severity, where, file, line, column, count, emails, rows, message, share, url; in --json, under findings
sendmail: data
run list: run, state, file, sending, shard, redirectedTo, retryOf, retriedBy, profile, baseUrl, begunAt, emails, accepted, rejected, unknown, left, unanswered, bytes
run get: run, state, file, sending, shard, redirectedTo, retryOf, retriedBy, profile, baseUrl, begunAt, emails, accepted, rejected, unknown, left, unanswered, bytes
run watch: run, emails, delivered, opened, complained, bounced, failed, waiting, unlisted, unsent, groups
run retry: row, to, redirectedTo, emailId, error, lastEvent, lastEventAt, reason; in --json, under data
run resume: row, to, redirectedTo, emailId, error, lastEvent, lastEventAt, reason; in --json, under data
run delete: run, state, file, sending, shard, redirectedTo, retryOf, retriedBy, profile, baseUrl, begunAt, emails, accepted, rejected, unknown, left, unanswered, bytes
campaign create: id, name, from, subject, previewText, contactBookId, html, content, status, scheduledAt, batchSize, batchWindowMinutes, total, sent, delivered, opened, clicked, unsubscribed, bounced, hardBounced, complained, replyTo, cc, bcc, createdAt, updatedAt
campaign replace: id, name, from, subject, previewText, contactBookId, html, content, status, scheduledAt, batchSize, batchWindowMinutes, total, sent, delivered, opened, clicked, unsubscribed, bounced, hardBounced, complained, replyTo, cc, bcc, createdAt, updatedAt
campaign list: id, name, from, subject, createdAt, updatedAt, status, scheduledAt, total, sent, delivered, unsubscribed; in --json, under campaigns
campaign get: id, name, from, subject, previewText, contactBookId, html, content, status, scheduledAt, batchSize, batchWindowMinutes, total, sent, delivered, opened, clicked, unsubscribed, bounced, hardBounced, complained, replyTo, cc, bcc, createdAt, updatedAt
campaign watch: id, name, from, subject, previewText, contactBookId, html, content, status, scheduledAt, batchSize, batchWindowMinutes, total, sent, delivered, opened, clicked, unsubscribed, bounced, hardBounced, complained, replyTo, cc, bcc, createdAt, updatedAt
campaign schedule: success
campaign test: emailId
campaign pause: success
campaign resume: success
campaign delete: id, name, from, subject, previewText, contactBookId, html, content, status, scheduledAt, batchSize, batchWindowMinutes, total, sent, delivered, opened, clicked, unsubscribed, bounced, hardBounced, complained, replyTo, cc, bcc, createdAt, updatedAt
contact list: id, email, firstName, lastName, subscribed, unsubscribeReason, properties, doubleOptInSentAt, contactBookId, createdAt, updatedAt
contact get: id, email, firstName, lastName, subscribed, unsubscribeReason, properties, doubleOptInSentAt, contactBookId, createdAt, updatedAt
contact add: contactId
contact import: contactBookId, book, rows, new, changed, unchanged, unsubscribed, skipped, duplicate, invalid, policy, rejected, missing, unknown, columnsToCheck
contact update: contactId
contact delete: success
contact sync: email, action, changes; in --json, under data
contact export: email, firstName, lastName, subscribed, properties
contact book list: id, name, emoji, variables, properties, doubleOptInEnabled, doubleOptInFrom, doubleOptInSubject, doubleOptInContent, lastBulkOptInAt, isTest, createdAt, updatedAt, _count
contact book get: id, name, emoji, variables, properties, doubleOptInEnabled, doubleOptInFrom, doubleOptInSubject, doubleOptInContent, lastBulkOptInAt, isTest, createdAt, updatedAt, _count
contact book create: id, name, emoji, variables, properties, doubleOptInEnabled, doubleOptInFrom, doubleOptInSubject, doubleOptInContent, lastBulkOptInAt, isTest, createdAt, updatedAt, _count
contact book update: id, name, emoji, variables, properties, doubleOptInEnabled, doubleOptInFrom, doubleOptInSubject, doubleOptInContent, lastBulkOptInAt, isTest, createdAt, updatedAt, _count
contact book delete: id, success, message
segment list: id, name, contactBookId, rules, createdAt
segment create: id, name, contactBookId, rules, createdAt
segment preview: count, sample
segment materialize: listId, name, count
segment delete: success
event send: contactId
template list: id, name, subject, createdAt, updatedAt
template get: id, name, subject, html, content
template create: id, name, subject, html, content
template pull: file, name, id, result
template push: file, name, id, result
domain add: id, name, teamId, status, region, clickTracking, openTracking, receivingEnabled, tlsEnforced, publicKey, dkimStatus, spfDetails, createdAt, updatedAt, dmarcAdded, isVerifying, hasEverVerified, errorMessage, subdomain, verificationError, lastCheckedTime, dnsRecords
domain list: id, name, teamId, status, region, clickTracking, openTracking, receivingEnabled, tlsEnforced, publicKey, dkimStatus, spfDetails, createdAt, updatedAt, dmarcAdded, isVerifying, hasEverVerified, errorMessage, subdomain, verificationError, lastCheckedTime, dnsRecords
domain get: id, name, teamId, status, region, clickTracking, openTracking, receivingEnabled, tlsEnforced, publicKey, dkimStatus, spfDetails, createdAt, updatedAt, dmarcAdded, isVerifying, hasEverVerified, errorMessage, subdomain, verificationError, lastCheckedTime, dnsRecords
domain records: type, name, value, ttl, priority, status, recommended
domain check: type, name, fqdn, expected, found, status, required, problem, via, answers; in --json, under records
domain verify: message
domain delete: id, success, message
dmarc report: domain, source, selector, signer, day, origin, messages, aligned, dkimAligned, spfAligned, quarantined, rejected, applied, reasons, headerFrom, envelopeFrom, signedBy, spfDomains, firstDay, lastDay; in --json, under rows
stats: date, sent, delivered, opened, clicked, bounced, complained; in --json, under result
reputation status: state, bounceRate, complaintRate, sampleSize, sampleSufficient, windowDays, shortWindowBounceRate, thresholds, distanceToBlock, blockedAt, blockedReason, supervisedUntil, supervisedDailyLimit
reputation history: date, delivered, hardBounced, complained, bounceRate, complaintRate
reputation bounces: days, totalHardBounces, byDomain, byReason
reputation events: id, fromState, toState, bounceRate, sampleSize, actor, reason, createdAt
login: profile, current, baseUrl, key, keyCommand, path
logout: profile, path
whoami: profile, baseUrl, baseUrlSource, key, keySource, team, scopes, reachable, domains, rateLimit, policy, problem
doctor: check, state, detail, remedy, code; in --json, under checks
profile list: name, current, baseUrl, key, keyCommand
profile use: currentProfile
profile rename: name, formerName
profile delete: name, currentProfile
config get: profile, name, value
config set: profile, name, value
config unset: profile, name, value
config list: name, value
config path: path
policy show: rule, value, place; in --json, under rules
policy set: profile, policy
policy unset: profile, policy
policy check: address, allowed, rule, place, approval, redirectedTo
outbox list: id, state, command, digest, profile, baseUrl, preparedAt, expiresAt, from, subject, scheduledAt, campaign, recipients, domains, first, findings, why, run, ids
outbox get: id, state, command, digest, profile, baseUrl, preparedAt, expiresAt, from, subject, scheduledAt, campaign, recipients, domains, first, findings, why, run, ids, request
outbox approve: id, state, command, digest, profile, baseUrl, preparedAt, expiresAt, from, subject, scheduledAt, campaign, recipients, domains, first, findings, why, run, ids
outbox reject: id, state, command, digest, profile, baseUrl, preparedAt, expiresAt, from, subject, scheduledAt, campaign, recipients, domains, first, findings, why, run, ids
outbox send: id, state, command, digest, profile, baseUrl, preparedAt, expiresAt, from, subject, scheduledAt, campaign, recipients, domains, first, findings, why, run, ids
log list: entry, at, state, exitCode, command, line, effect, requests, recipients, digest, ids, run, profile, team, baseUrl, user, host, directory
log get: entry, at, state, exitCode, command, line, effect, requests, recipients, digest, ids, run, profile, team, baseUrl, user, host, directory
webhook events: type, sent, fields, schema
webhook example: id, type, version, createdAt, teamId, data, attempt
webhook trigger: id, type, url, attempt, delivered, status, milliseconds, response
webhook listen: id, receivedAt, type, call, attempt, reason, headers, body, forwardedTo, status, milliseconds, response
webhook log: id, receivedAt, type, call, attempt, reason, headers, body, forwardedTo, status, milliseconds, response
webhook get: id, receivedAt, type, call, attempt, reason, headers, body, forwardedTo, status, milliseconds, response
webhook replay: id, type, url, attempt, delivered, status, milliseconds, response
webhook test: check, outcome, answered, expected, consequence, milliseconds
webhook verify: valid, reason, type, call, sentAt
sandbox start: url, baseUrl, port, smtpPort, smtpUrl, smtpCertificate, dnsPort, apiKey
sandbox advance: from, now, emails, events, campaigns, contacts, domains, idempotencyKeys
sandbox reset: directory
sandbox seed: domains, dnsRecords, books, contacts, segments, templates, campaigns, messages, suppressions, reputationEvents
sandbox export: domains, dnsRecords, books, contacts, segments, templates, campaigns, messages, suppressions, reputationEvents
sandbox logs: at, method, path, status, milliseconds, reason
sandbox open: url
sandbox path: path
sandbox status: directory, bytes, running, url, baseUrl, smtpPort, dnsPort, now, aheadMs, waiting, accounts
sandbox wait: id, from, to, cc, bcc, replyTo, subject, status, createdAt, text, html, headers, attachments, links, codes, code
sandbox webhook add: id
sandbox webhook list: id, url, events, temporary, enabled, failures, waiting, delivered
sandbox webhook log: id, webhookId, type, createdAt, dueAt, attempts, delivered, status, response, data
sandbox webhook delete: id
commands: command, summary, effects
mcp: jsonrpc
skill: page
version: version, commit, build, runtime, packages
completion: shell, script
`;
