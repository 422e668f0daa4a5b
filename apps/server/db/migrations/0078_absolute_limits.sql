-- The shipped forms say what no patient can have: a next version of each, since a version is never changed. Wide on purpose, beyond what
-- was ever measured in somebody alive; what is only grave is what the critical limits are for.
-- Reasons: docs/decisions/035-examinations.md
with absolute (template, field, low, high) as (
  values
    ('e1', 'potassium', '0.5', '20'),
    ('e1', 'sodium', '50', '250'),
    ('e1', 'urea', '0', '200'),
    ('e1', 'creatinine', '0', '10000'),
    ('e1', 'bicarbonate', '0', '80'),
    ('e1', 'chloride', '30', '200'),
    ('e1', 'glucose', '0', '200'),
    ('e2', 'respiration', '0', '150'),
    ('e2', 'spo2', '0', '100'),
    ('e2', 'oxygen_flow', '0', '100'),
    ('e2', 'systolic', '0', '400'),
    ('e2', 'diastolic', '0', '300'),
    ('e2', 'pulse', '0', '400'),
    ('e2', 'temperature', '10', '50'),
    ('e3', 'size', '0', '3000'),
    ('e4', 'rate', '0', '500'),
    ('e4', 'pr', '0', '2000'),
    ('e4', 'qrs', '0', '1000'),
    ('e4', 'qt', '0', '2000'),
    ('e4', 'qtc', '0', '2000'),
    ('e4', 'axis', '-180', '360'),
    ('e5', 'gcs', '3', '15'),
    ('e5', 'pain', '0', '10'),
    ('e7', 'haemoglobin', '0', '350'),
    ('e7', 'white_cells', '0', '3000'),
    ('e7', 'platelets', '0', '10000')
)
insert into examination_templates (id, version, facility_id, definition)
select
  shipped.id,
  shipped.version + 1,
  null,
  jsonb_set(shipped.definition, '{fields}', (
    select jsonb_agg(
      case when absolute.field is null then field.value
        else field.value || jsonb_build_object('absolute_low', absolute.low, 'absolute_high', absolute.high)
      end
      order by field.place)
    from jsonb_array_elements(shipped.definition -> 'fields') with ordinality as field (value, place)
    left join absolute
      on shipped.id = ('00000000-0000-7000-8000-0000000000' || absolute.template)::uuid
      and absolute.field = field.value ->> 'code'
  ))
from examination_templates shipped
where shipped.facility_id is null
  and shipped.id in (select ('00000000-0000-7000-8000-0000000000' || template)::uuid from absolute)
  and not exists (
    select from examination_templates newer where newer.id = shipped.id and newer.version > shipped.version);
