select :columns
from orders
where month = :month;
